import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

describe('the concurrency limit', () => {
  it('runs at most a fixed number at once, and all in the end', async () => {
    const pass = createConcurrencyLimit({ atOnce: 2, waiting: 100 })
    let inside = 0
    let most = 0
    const work = async (n: number) => {
      inside += 1
      most = Math.max(most, inside)
      await turn()
      inside -= 1
      return n
    }
    const done = await Promise.all(Array.from({ length: 20 }, (_, n) => pass(() => work(n))))
    expect(done).toEqual(Array.from({ length: 20 }, (_, n) => n))
    expect(most).toBe(2)
  })

  it('yields to the event loop between two tasks, and continues after a failure', async () => {
    const pass = createConcurrencyLimit({ atOnce: 1, waiting: 100 })
    const order: string[] = []
    const works = [1, 2, 3].map((n) =>
      pass(async () => {
        order.push(`page ${n}`)
        setImmediate(() => order.push('other'))
        if (n === 2) throw new Error('no')
      }),
    )
    expect((await Promise.allSettled(works)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(order.slice(0, 5)).toEqual(['page 1', 'other', 'page 2', 'other', 'page 3'])
  })

  it('rejects a task when too many are waiting', async () => {
    const pass = createConcurrencyLimit({ atOnce: 1, waiting: 1 })
    const answers = await Promise.allSettled(Array.from({ length: 3 }, () => pass(turn)))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(answers[2]).toMatchObject({ reason: { code: 'UNAVAILABLE', status: 503 } })
    await expect(pass(turn)).resolves.toBeUndefined()
  })
})
