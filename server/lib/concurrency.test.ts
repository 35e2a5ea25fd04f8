import { setImmediate as nextRound } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createKeyedSemaphore, createSemaphore } from './concurrency.ts'

describe('the semaphore', () => {
  it('runs at most its number of permits at once, and all works in the end', async () => {
    const semaphore = createSemaphore({ permits: 2, maxWaiting: 100 })
    let inside = 0
    let most = 0
    const work = async (n: number) => {
      inside += 1
      most = Math.max(most, inside)
      await nextRound()
      inside -= 1
      return n
    }
    const done = await Promise.all(Array.from({ length: 20 }, (_, n) => semaphore.run(() => work(n))))
    expect(done).toEqual(Array.from({ length: 20 }, (_, n) => n))
    expect(most).toBe(2)
    expect(semaphore.isIdle()).toBe(true)
  })

  it('yields to the event loop between two works, and continues after a failure', async () => {
    const semaphore = createSemaphore({ permits: 1 })
    const order: string[] = []
    const works = [1, 2, 3].map((n) =>
      semaphore.run(async () => {
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

  it('rejects a work when too many wait', async () => {
    const semaphore = createSemaphore({ permits: 1, maxWaiting: 1 })
    const answers = await Promise.allSettled(Array.from({ length: 3 }, () => semaphore.run(nextRound)))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(answers[2]).toMatchObject({ reason: { code: 'UNAVAILABLE', status: 503 } })
    await expect(semaphore.run(nextRound)).resolves.toBeUndefined()
  })

  it('grants permits in request order, and none for a second release', async () => {
    const semaphore = createSemaphore({ permits: 2 })
    const [releaseFirst] = [await semaphore.acquire(), await semaphore.acquire()]
    const granted: string[] = []
    const waiting = ['a', 'b'].map((name) =>
      semaphore.acquire().then((release) => {
        granted.push(name)
        return release
      }),
    )
    await nextRound()
    expect(granted).toEqual([])
    releaseFirst()
    releaseFirst()
    await nextRound()
    await nextRound()
    expect(granted).toEqual(['a'])
    ;(await waiting[0])?.()
    await waiting[1]
    expect(granted).toEqual(['a', 'b'])
  })
})

describe('the keyed semaphore with one permit', () => {
  const createMutex = () => createKeyedSemaphore<number>({ permits: 1, maxWaiting: 3 })

  it('is granted in request order, one at a time per key', async () => {
    const mutex = createMutex()
    const order: string[] = []
    const release = await mutex.acquire(1)
    const waiting = ['b', 'c'].map((name) => mutex.run(1, async () => void order.push(name)))
    await mutex.run(2, async () => void order.push('other key'))
    release()
    release()
    await Promise.all(waiting)
    expect(order).toEqual(['other key', 'b', 'c'])
  })

  it('rejects with 429 after four others of the same key', async () => {
    const mutex = createMutex()
    const releases = [mutex.acquire(1), mutex.acquire(1), mutex.acquire(1), mutex.acquire(1)]
    await expect(mutex.acquire(1)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: 5 })
    ;(await releases[0])?.()
    await expect(mutex.acquire(2)).resolves.toBeTypeOf('function')
  })

  it('still excludes others after a second release of an earlier holder', async () => {
    const mutex = createMutex()
    const release = await mutex.acquire(1)
    release()
    const held = await mutex.acquire(1)
    release()
    let isGranted = false
    const next = mutex.acquire(1).then(() => {
      isGranted = true
    })
    await nextRound()
    expect(isGranted).toBe(false)
    held()
    await next
  })
})
