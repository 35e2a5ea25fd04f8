/** Whether every case runs (npm run test:full, or a file that is named) instead of a sample. */
export const isFull = process.env['FULL'] === 'on'

/** vitest.config.ts sets it for all workers; SAMPLE_SEED=… repeats a run. */
export const sampleSeed = Number(process.env['SAMPLE_SEED'] ?? 1)

/** Mulberry32: numbers from 0 to 1; the same seed gives the same numbers. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** About `share` of the cases by the seed, in their order, at least one; all of them in a full run. */
export function sample<T>(cases: readonly T[], share: number): T[] {
  if (isFull) return [...cases]
  const random = randomFrom(sampleSeed)
  const chosen = cases.filter(() => random() < share)
  return chosen.length > 0 ? chosen : cases.slice(0, 1)
}

/** How often a race or property is tried: `few` times in the short run, `RUNS=…` times if it is set. */
export const repeated = (all: number, few: number): number => Number(process.env['RUNS'] ?? (isFull ? all : few))
