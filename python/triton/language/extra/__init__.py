"""Extensions of the language by target."""
