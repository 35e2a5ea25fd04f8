import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Db } from './db.ts'
import type { Listener } from './listener.ts'
import { createReferenceData } from './reference-data.ts'

const silent = pino({ level: 'silent' })

/** Reads that resolve when the test says, and a listener whose notifications the test sends. */
function staged() {
  const stored = { value: 'first' }
  const open: (() => void)[] = []
  let isStaged = false
  let fails = false
  const read = async () => {
    if (fails) throw new Error('The database is away')
    const seen = stored.value
    if (isStaged) await new Promise<void>((done) => open.push(done))
    return seen
  }
  let notice = () => {}
  const listener: Pick<Listener, 'on'> = {
    on: async (_, onNotify) => {
      notice = () => onNotify('')
    },
  }
  return {
    stored,
    open,
    read,
    listener: listener as Listener, // only `on` is used
    notice: () => notice(),
    stage: () => {
      isStaged = true
    },
    fail: (yes: boolean) => {
      fails = yes
    },
  }
}
const settle = () => new Promise((done) => setTimeout(done, 5))
const noDb = {} as Db // the staged read ignores it

describe('the snapshot', () => {
  it('contains what was read, and after a reload what the reload read', async () => {
    const { stored, read, listener } = staged()
    const reference = await createReferenceData(read, noDb, listener, silent)
    stored.value = 'second'
    expect(reference.current()).toBe('first')
    const before = reference.version()
    await reference.reload()
    expect(reference.current()).toBe('second')
    expect(reference.version()).toBe(before + 1)
  })

  it('reads again once for all waiting reloads if a change came during a read', async () => {
    const { stored, open, read, listener, stage } = staged()
    const reference = await createReferenceData(read, noDb, listener, silent)
    stage()
    stored.value = 'second'
    const running = reference.reload()
    await settle()
    stored.value = 'third'
    const waiting = [reference.reload(), reference.reload(), reference.reload()]
    await settle()
    expect(open.length).toBe(1)
    open.shift()?.()
    await running
    expect(reference.current()).toBe('second')
    await settle()
    expect(open.length).toBe(1)
    open.shift()?.()
    await Promise.all(waiting)
    expect(reference.current()).toBe('third')
  })

  it('would be replaced by an older read if reloads ran in parallel', async () => {
    const { stored, open, read, stage } = staged()
    stage()
    let value = ''
    const naive = async () => {
      value = await read()
    }
    stored.value = 'older'
    const first = naive()
    stored.value = 'newer'
    const second = naive()
    open[1]?.()
    await second
    open[0]?.()
    await first
    expect(value).toBe('older')
  })

  it('keeps the last good value while the database is down, and notifies of no change', async () => {
    const { stored, read, listener, fail } = staged()
    const reference = await createReferenceData(read, noDb, listener, silent)
    let changes = 0
    reference.onChange(() => {
      changes += 1
    })
    stored.value = 'second'
    fail(true)
    await expect(reference.reload()).rejects.toThrow('away')
    expect([reference.current(), changes]).toEqual(['first', 0])
    fail(false)
    await reference.reload()
    expect([reference.current(), changes]).toEqual(['second', 1])
  })

  it('is read again after a notification during which the database was down', async () => {
    const { stored, read, listener, fail, notice } = staged()
    const reference = await createReferenceData(read, noDb, listener, silent)
    stored.value = 'second'
    fail(true)
    notice()
    await settle()
    expect(reference.current()).toBe('first')
    fail(false)
    await expect.poll(() => reference.current()).toBe('second')
  })

  it('is reread without a notification and keeps its version if nothing has changed', async () => {
    const { stored, read, listener } = staged()
    const reference = await createReferenceData(read, noDb, listener, silent, 20)
    const before = reference.version()
    await new Promise((done) => setTimeout(done, 100))
    expect(reference.version()).toBe(before)
    stored.value = 'second'
    await expect.poll(() => reference.current()).toBe('second')
    expect(reference.version()).toBe(before + 1)
    reference.stop()
  })
})
