"""compile(): a source to a kernel, from the cache or made; and the kernel itself."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .. import knobs
from ..backends.spine_triton.compiler import CPUOptions, parse_options
from ..backends.spine_triton.driver import GPUTarget
from ..digest import digest_of
from ..errors import CompilationError, InternalCompilerError, KernelError
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
        try:
            files, metadata, times = _make(src, text, options)
        except CompilationError as error:
            if knobs.compilation.front_end_debugging:
                raise
            # Our own frames say nothing about the kernel.
            raise error.with_traceback(None)
        start = time.perf_counter()
        entry = cache.store(key, files, metadata)
        times["store"] = (time.perf_counter() - start) * 1e3
    kernel = CompiledKernel(src, entry, text, options, key, times)
    if knobs.compilation.remarks:
        _show_remarks(entry.metadata.get("remarks", ()))
    if knobs.compilation.spine_dump_path or knobs.compilation.dump_ir:
        _dump(kernel, src)
    if knobs.compilation.listener is not None:
        stages = [(stage, int(ms * 1e3)) for stage, ms in times.items()
                  if stage not in ("frontend", "total", "store")]
        told = CompileTimes(int(times.get("frontend", 0) * 1e3), stages,
                            int(times.get("store", 0) * 1e3))
        knobs.compilation.listener(src=src, metadata=kernel.metadata._asdict(),
                                   metadata_group=kernel.metadata_group, times=told, cache_hit=hit)
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
    times = {"frontend": (emitted - start) * 1e3,
             **{stage: microseconds / 1e3 for stage, microseconds in result.timings}}
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
            if stage == "source":  # upstream's name of what the front end emits
                return self["ttir"]
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
        self._image: Any = None
        self._metadata: Any = None

    @property
    def metadata(self) -> Any:
        if self._metadata is None:
            from collections import namedtuple

            scratch_bytes = self.entry.metadata["kernel"]["scratch_bytes"]
            values = {
                "hash": self.hash, "name": self.name, "shared": scratch_bytes,
                "target": GPUTarget("cpu", self.target, 0), "backend_name": "cpu",
                "triton_version": VERSION, "warp_size": 0, **self.options.asdict(),
                "scratch_bytes": scratch_bytes,
            }
            names = sorted(values)
            kind = namedtuple("KernelMetadata", names)  # type: ignore[misc]
            self._metadata = kind(**values)
        return self._metadata

    @property
    def image(self) -> Any:
        """The loaded image; loading it needs no compiler."""
        if self._image is None:
            from ..runtime.jit import native

            launcher = native()
            arch, host = (t.partition(":")[0] for t in (self.target, launcher.resolve_target("host")))
            if arch != host:
                raise KernelError(
                    f"kernel '{self.name}' was compiled for {self.target} and cannot run on this "
                    f"{host} machine; `warmup` compiles without launching, and trireme-run runs "
                    f"{self.entry.path('kernel.so')} there", self.name)
            if not os.path.exists(self.entry.path("kernel.so")):
                # Somebody cleared the cache since.
                from ..runtime import cache

                files, metadata, self.times = _make(self.src, self.target, self.options)
                self.entry = cache.store(self.hash, files, metadata)
            knobs.runtime.kernel_load_start_hook(*self._about())
            self._image = launcher.Kernel(self.entry.path("kernel.so"))
            knobs.runtime.kernel_load_end_hook(*self._about())
        return self._image

    def _about(self) -> tuple:
        return self.module, self.function, self.name, self.metadata_group, self.hash

    def __del__(self) -> None:
        hook = knobs.runtime.kernel_unload_hook if knobs is not None else None
        if hook and self.__dict__.get("_image") is not None:
            hook(*self._about())

    def __getstate__(self) -> dict[str, Any]:
        # Another process loads the image itself, and names the metadata's class anew.
        return {**self.__dict__, "_image": None, "_metadata": None}

    # -- upstream's names ---------------------------------------------------------------

    # A CPU has no such limits; what asks takes these for "fits", and may divide by them.
    n_regs, n_spills = 1, 0
    n_max_threads = 1 << 30

    @property
    def module(self) -> Any:
        """The image, once it is loaded."""
        return self._image

    function = module

    def _init_handles(self) -> None:
        self.image  # noqa: B018 - loads it

    @property
    def kernel(self) -> bytes:
        return self.asm["so"]

    @property
    def metadata_group(self) -> dict[str, str]:
        """The files in the cache, as upstream names them."""
        return {f"{self.name}.{kind}": self.entry.path(f"kernel.{kind}")
                for kind in ("ttir", "so")}

    @property
    def packed_metadata(self) -> tuple:
        return self.options.num_warps, self.options.num_ctas, 0

    # -- launching without a jit function ----------------------------------------------

    def lazy_metadata(self, grid: tuple, args: dict[str, Any]) -> Any:
        """What launch hooks are given."""
        from ..runtime.jit import LazyDict

        metadata = LazyDict({"name": self.name, "function": self.function, "stream": 0})
        describe = getattr(getattr(self.src, "fn", None), "launch_metadata", None)
        if describe is not None:
            metadata.add(describe, (grid, self.metadata, args))
        return metadata

    def launch_metadata(self, grid: tuple, stream: Any, *args: Any) -> Any:
        """For `run`; None where no hook would read it."""
        if not knobs.runtime.launch_enter_hook and not knobs.runtime.launch_exit_hook:
            return None
        return self.lazy_metadata(grid, dict(zip(getattr(self.src, "signature", ()), args)))

    def run(self, grid_0: int, grid_1: int, grid_2: int, stream: Any, function: Any,
            packed_metadata: Any, launch_metadata: Any, enter_hook: Any, exit_hook: Any,
            *args: Any) -> None:
        """Launches and waits. ``args``: of every parameter, or of those that are no constants."""
        if enter_hook:
            enter_hook(launch_metadata)
        self.image.run((grid_0, grid_1, grid_2), *_run_time(self.src, args))
        if exit_hook:
            exit_hook(launch_metadata)

    def __getitem__(self, grid: Any) -> Any:
        def launch(*args: Any, stream: Any = None) -> None:
            dims = (*grid, 1, 1)[:max(3, len(grid))]
            self.run(*dims, stream, self.function, self.packed_metadata,
                     self.launch_metadata(dims, stream, *args), knobs.runtime.launch_enter_hook,
                     knobs.runtime.launch_exit_hook, *args)

        return launch


def _run_time(src: Any, args: tuple) -> tuple[tuple, tuple | None]:
    """The values that the image takes and their types (None: as the image says)."""
    signature = getattr(src, "signature", None)
    if signature is None:
        return args, None
    types = list(signature.values())
    if len(args) != len(types):
        types = [t for t in types if t != "constexpr"]
    if len(args) != len(types):
        raise TypeError(f"kernel '{src.name}' takes {len(signature)} arguments, or the {len(types)} "
                        f"that are no constants, but {len(args)} were given")
    pairs = _flat(tuple(types), args)
    return tuple(v for _, v in pairs), tuple(t for t, _ in pairs)


def _flat(type: Any, value: Any) -> list[tuple[str, Any]]:
    if isinstance(type, tuple):
        if not isinstance(value, tuple) or len(value) != len(type):
            raise TypeError(f"expected a tuple of {len(type)} values, got {value!r}")
        return [pair for t, v in zip(type, value) for pair in _flat(t, v)]
    return [] if type == "constexpr" else [(type, value)]


class CompileTimes(NamedTuple):
    """What a compilation listener is told of time: microseconds."""

    ir_initialization: int
    lowering_stages: list[tuple[str, int]]
    store_results: int

    @property
    def total_lowering(self) -> int:
        return sum(time for _, time in self.lowering_stages)

    @property
    def total(self) -> int:
        return self.ir_initialization + self.total_lowering + self.store_results


__all__ = ["ASTSource", "AsmDict", "CompileTimes", "CompiledKernel", "IRSource", "compile"]
