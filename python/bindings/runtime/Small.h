//===- Small.h - an array that seldom allocates --------------- -*- C++ -*-===//
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

namespace trireme::python {

/// Grows like std::vector; the first N elements lie in the object itself.
template <typename T, size_t N> class Small {
  static_assert(std::is_trivially_copyable<T>::value, "copied as bytes");

public:
  Small() = default;
  Small(const Small &) = delete;
  T *begin() { return data_; }
  T *end() { return data_ + size_; }
  const T *data() const { return data_; }
  size_t size() const { return size_; }
  void append(const T *from, size_t count) {
    if (size_ + count > room_)
      grow(size_ + count);
    std::memcpy(data_ + size_, from, count * sizeof(T));
    size_ += count;
  }
  void push(T value) { append(&value, 1); }

private:
  void grow(size_t needed) {
    room_ = 2 * needed;
    std::unique_ptr<T[]> larger(new T[room_]);
    std::memcpy(larger.get(), data_, size_ * sizeof(T));
    heap_ = std::move(larger);
    data_ = heap_.get();
  }

  T inline_[N];
  T *data_ = inline_;
  size_t size_ = 0, room_ = N;
  std::unique_ptr<T[]> heap_;
};

} // namespace trireme::python
