"""compile(): a source to a kernel, from the cache or made; and the kernel itself."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .. import knobs
from ..backends.spine_triton.compiler import CPUOptions, parse_options
from ..digest import digest_of
from ..errors import InternalCompilerError, KernelError
from .sources import ASTSource, IRSource, from_compiler, users_place
from .version import VERSION, triton_key

# A context keeps every type and attribute it ever saw.
_COMPILES_PER_CONTEXT = 200
_TEXT_STAGES = ("ttir", "linalg", "sched", "vector", "llvm", "llir", "asm")
STAGES = (*_TEXT_STAGES, "obj", "so")
_state: Any = None


def _context(fresh: bool = False) -> Any:
    """This thread's compiler context."""
    global _state
    from .._C import _compiler

    if _state is None:
        import threading

        _state = threading.local()
    if fresh or getattr(_state, "uses", _COMPILES_PER_CONTEXT) >= _COMPILES_PER_CONTEXT:
        _state.context, _state.uses = _compiler.Context(), 0
    _state.uses += 1
    return _state.context


def cache_key(source: Any, target: str, options: CPUOptions) -> str:
    """Everything that decides the image: compiler, source, target with features, options."""
    return digest_of(triton_key(), source.hash(), target, options.hash())


def compile(src: Any, target: Any = None, options: Any = None, _env_vars: Any = None
            ) -> "CompiledKernel":
    """Compiles an `ASTSource`, an `IRSource`, or the path of a ``.ttir``/``.mlir`` file.

    ``target``: a GPUTarget or a CPU's name; the active driver's without it. ``options``:
    dict of `CPUOptions` fields. Raises CompilationError for what the source does wrong.
    """
    from ..runtime import cache
    from ..runtime.driver import driver

    if isinstance(src, (str, os.PathLike)):
        src = IRSource(src)
    if target is None:
        target = driver.active.get_current_target()
    text = target if isinstance(target, str) else target.arch or "host"
    if ":" not in text:
        from .._C import _runtime

        text = _runtime.resolve_target(text)
    if not isinstance(options, CPUOptions):
        options = parse_options(dict(options or {}))
    key = cache_key(src, text, options)
    entry = None if knobs.compilation.always_compile else cache.find(key)
    times: dict[str, float] = {}
    hit = entry is not None
    if entry is None:
        files, metadata, times = _make(src, text, options)
        entry = cache.store(key, files, metadata)
    kernel = CompiledKernel(src, entry, text, options, key, times)
    if knobs.compilation.remarks:
        _show_remarks(entry.metadata.get("remarks", ()))
    if knobs.compilation.spine_dump_path or knobs.compilation.dump_ir:
        _dump(kernel, src)
    if knobs.compilation.listener is not None:
        knobs.compilation.listener(src=src, metadata=kernel.metadata._asdict(), metadata_group={},
                                   times=times, cache_hit=hit)
    return kernel


def _make(src: Any, target: str, options: CPUOptions) -> tuple[dict, dict, dict]:
    """Compiles; gives the entry's files, its metadata, and milliseconds by stage."""
    from .._C import _compiler

    start = time.perf_counter()
    context = _context()
    module = src.make_ir(context, options)
    emitted = time.perf_counter()
    ttir = str(module)
    choices = {"target": target, "fp_fusion": options.enable_fp_fusion, "debug": options.debug}
    if options.force_fault:
        choices["force_fault"] = options.force_fault
    try:
        result = _compiler.compile(module, choices)
    except _compiler.CompileError as error:
        if error.kind == "internal":
            _context(fresh=True)
            raise _internal(src, ttir, target, error) from None
        raise from_compiler(error, None) from None
    times = {"frontend": (emitted - start) * 1e3, **dict(result.timings)}
    times["total"] = (time.perf_counter() - start) * 1e3
    metadata = {"name": src.name, "kernel": dict(result.metadata), "remarks": list(result.remarks)}
    return {"kernel.so": result.image, "kernel.ttir": ttir.encode()}, metadata, times


def _internal(src: Any, ttir: str, target: str, error: Any) -> InternalCompilerError:
    from ..runtime import cache

    name = f"{src.name}-reproducer.ttir"
    for directory in (os.path.join(knobs.cache.dir, "reproducers"), cache.private_directory()):
        try:
            os.makedirs(directory, exist_ok=True)
            path = os.path.join(directory, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(ttir)
            break
        except OSError:
            path = "<nowhere: no directory can be written>"
    return InternalCompilerError(
        f"the compiler failed on kernel '{src.name}': {error.message}\n"
        f"This is a bug of the compiler, not of the kernel. The module was written to {path}; "
        f"`trireme-opt --stop-after=so --target={target} {path}` repeats it.")


def _show_remarks(remarks: Sequence[dict[str, Any]]) -> None:
    """Those of the categories that TRIREME_REMARKS lists, with the source line and a caret."""
    wanted = {w.strip() for w in knobs.compilation.remarks.split(",") if w.strip()}
    unknown = sorted(wanted - {"perf", "sched"})
    if unknown:
        import warnings

        warnings.warn(f"TRIREME_REMARKS: {unknown[0]!r} is no category; they are perf, sched",
                      RuntimeWarning, 3)
    for remark in remarks:
        if remark["message"].partition(":")[0] not in wanted:
            continue
        import linecache
        import sys

        file, line, column = users_place(remark["frames"])
        print(f"{file}:{line}:{column}: {remark['kind']}: {remark['message']}", file=sys.stderr)
        text = linecache.getline(file, line).rstrip()
        if text:
            column = max(0, column - 1)
            print(f"    {text.lstrip()}\n{' ' * (4 + column - len(text) + len(text.lstrip()))}^",
                  file=sys.stderr)


def _dump(kernel: "CompiledKernel", src: Any) -> None:
    """Every stage as a numbered file: ``<dir>/<kernel>-<key>/00-ttir.mlir`` and on."""
    roots = []
    if knobs.compilation.spine_dump_path:
        roots.append(os.path.join(knobs.compilation.spine_dump_path,
                                  f"{kernel.name}-{kernel.hash[:8]}"))
    if knobs.compilation.dump_ir:
        roots.append(os.path.join(knobs.cache.dump_dir, src.hash()))
    suffixes = {"llir": "ll", "asm": "s", "obj": "o", "so": "so"}
    names = {stage: f"{number:02}-{stage}.{suffixes.get(stage, 'mlir')}"
             for number, stage in enumerate(STAGES)}
    for root in roots:
        try:
            os.makedirs(root, exist_ok=True)
            if set(os.listdir(root)) >= set(names.values()):
                continue  # the folder is named by the key: it holds the same already
            for stage, name in names.items():
                value = kernel.asm[stage]
                data = value.encode() if isinstance(value, str) else value
                with open(os.path.join(root, name), "wb") as file:
                    file.write(data)
        except OSError as problem:
            import warnings

            warnings.warn(f"stages of {kernel.name} are not dumped: {problem}", RuntimeWarning, 3)
    kernel.dump_path = roots[0] if roots else None


class AsmDict(Mapping):
    """Stages by name; text ones are made when asked for."""

    def __init__(self, kernel: "CompiledKernel") -> None:
        self._kernel = kernel
        self._made: dict[str, Any] = {}

    def __getitem__(self, stage: str) -> Any:
        if stage not in STAGES:
            raise KeyError(f"Unknown key: '{stage}'; stages are {', '.join(STAGES)}")
        if stage not in self._made:
            if stage == "ttir":
                self._made[stage] = self._kernel.entry.text("kernel.ttir")
            elif stage == "so":
                with open(self._kernel.entry.path("kernel.so"), "rb") as file:
                    self._made[stage] = file.read()
            else:
                self._make()
        return self._made[stage]

    def _make(self) -> None:
        from .._C import _compiler

        kernel = self._kernel
        result = _compiler.compile(self["ttir"], {
            "target": kernel.target, "fp_fusion": kernel.options.enable_fp_fusion,
            "debug": kernel.options.debug, "dump": list(_TEXT_STAGES[1:]), "stop_after": "obj"})
        self._made.update(result.texts)
        self._made["obj"] = result.image

    def __iter__(self) -> Iterator[str]:
        return iter(STAGES)

    def __len__(self) -> int:
        return len(STAGES)


class CompiledKernel:
    """A kernel that can be launched: `kernel.asm[stage]`, `kernel.metadata`, `kernel[grid]`."""

    def __init__(self, src: Any, entry: Any, target: str, options: CPUOptions, key: str,
                 times: dict[str, float]) -> None:
        self.src, self.entry, self.target, self.options = src, entry, target, options
        self.hash, self.name = key, src.name
        self.times = times
        self.dump_path: str | None = None
        self.asm = AsmDict(self)
        self._kernel: Any = None
        self._metadata: Any = None

    @property
    def metadata(self) -> Any:
        if self._metadata is None:
            from collections import namedtuple

            values = {
                "hash": self.hash, "name": self.name, "target": self.target, "shared": 0,
                "triton_version": VERSION, "warp_size": 0, **self.options.asdict(),
                "scratch_bytes": self.entry.metadata["kernel"]["scratch_bytes"],
            }
            names = sorted(values)
            kind = namedtuple("KernelMetadata", names)  # type: ignore[misc]
            self._metadata = kind(**values)
        return self._metadata

    @property
    def image(self) -> Any:
        """The loaded image; loading it needs no compiler."""
        if self._kernel is None:
            from ..runtime.jit import native

            launcher = native()
            arch, host = (t.partition(":")[0] for t in (self.target, launcher.resolve_target("host")))
            if arch != host:
                raise KernelError(
                    f"kernel '{self.name}' was compiled for {self.target} and cannot run on this "
                    f"{host} machine; `warmup` compiles without launching, and trireme-run runs "
                    f"{self.entry.path('kernel.so')} there", self.name)
            about = {"module": self, "function": self, "name": self.name, "metadata_group": {},
                     "hash": self.hash}
            if not os.path.exists(self.entry.path("kernel.so")):
                # Somebody cleared the cache since.
                from ..runtime import cache

                files, metadata, self.times = _make(self.src, self.target, self.options)
                self.entry = cache.store(self.hash, files, metadata)
            knobs.runtime.kernel_load_start_hook(**about)
            self._kernel = launcher.Kernel(self.entry.path("kernel.so"))
            knobs.runtime.kernel_load_end_hook(**about)
        return self._kernel

    n_regs = n_spills = 0
    n_max_threads = 1 << 30

    def __getitem__(self, grid: Any) -> Any:
        def launch(*args: Any) -> None:
            self.image.run(tuple(grid), args)

        return launch


__all__ = ["ASTSource", "AsmDict", "CompiledKernel", "IRSource", "compile"]
