import { setTimeout as sleep } from 'node:timers/promises'

export interface Pace {
  /** Resolves when it is one's turn; throws at once where that would be too late, and leaves the turn to others. */
  turn: (deadline: AbortSignal) => Promise<void>
}

/** Turns that begin at least `intervalMs` apart. At most three wait: whoever is behind them would wait too long. */
export function createPace(intervalMs: number): Pace {
  let next = 0
  return {
    async turn(deadline) {
      const now = performance.now()
      const mine = Math.max(now, next)
      if (mine - now > 2 * intervalMs) throw new Error('Too many questions are waiting for their turn')
      next = mine + intervalMs
      if (mine > now) await sleep(mine - now, undefined, { signal: deadline })
    },
  }
}
