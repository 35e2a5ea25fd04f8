import { describe, expect, it } from 'vitest'
import { createUndoQueue, UNDO_MS } from './undo-queue.ts'

function setUp(answer: (action: string) => Promise<void> = () => Promise.resolve()) {
  let now = 0
  const timers = new Set<{ at: number; callback: () => void }>()
  const sent: string[] = []
  const shown: (readonly string[])[] = []
  const hold = createUndoQueue<string>({
    send: (action, { isLeaving }) => {
      sent.push(isLeaving ? `${action} in a hurry` : action)
      return answer(action)
    },
    wait: (callback, ms) => {
      const timer = { at: now + ms, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    onChange: (held) => shown.push(held),
  })
  const pass = async (ms: number) => {
    now += ms
    for (const timer of [...timers]) {
      if (timer.at > now) continue
      timers.delete(timer)
      timer.callback()
    }
    await new Promise((done) => setTimeout(done))
  }
  return { hold, pass, sent, shown }
}

describe('createUndoQueue', () => {
  it('sends the action once, after the undo window', async () => {
    const { hold, pass, sent, shown } = setUp()
    hold.add('ship')
    await pass(UNDO_MS - 1)
    expect(sent).toEqual([])
    await pass(1)
    await pass(UNDO_MS)
    expect(sent).toEqual(['ship'])
    expect(shown).toEqual([['ship'], []])
    expect(hold.undo('ship')).toBe(false)
  })

  it('never sends the action if the person changed', async () => {
    const { hold, pass, sent, shown } = setUp()
    hold.add('ship')
    hold.forget()
    await pass(UNDO_MS)
    expect([sent, shown]).toEqual([[], [['ship'], []]])
  })

  it('never sends an undone action', async () => {
    const { hold, pass, sent, shown } = setUp()
    hold.add('ship')
    await pass(UNDO_MS - 1)
    expect(hold.undo('ship')).toBe(true)
    await pass(UNDO_MS)
    await hold.flush({ isLeaving: true })
    expect(sent).toEqual([])
    expect(shown.at(-1)).toEqual([])
  })

  it('sends the waiting action when the next one is added, after the previous answer', async () => {
    let finish = () => {}
    const { hold, pass, sent, shown } = setUp((act) =>
      act === 'first' ? new Promise((done) => (finish = done)) : Promise.resolve(),
    )
    hold.add('first')
    hold.add('second')
    await pass(0)
    expect(sent).toEqual(['first'])
    expect(hold.undo('first')).toBe(false)
    await pass(UNDO_MS)
    expect(sent).toEqual(['first'])
    expect(shown.at(-1)).toEqual(['first', 'second'])
    finish()
    await pass(0)
    expect(sent).toEqual(['first', 'second'])
    expect(shown.at(-1)).toEqual([])
  })

  it('sends at once when the page is left, without waiting for the previous answer', async () => {
    const { hold, pass, sent } = setUp(() => new Promise(() => {}))
    hold.add('first')
    hold.add('second')
    await pass(0)
    void hold.flush({ isLeaving: true })
    await pass(0)
    expect(sent).toEqual(['first', 'second in a hurry'])
  })

  it('sends the action even if the previous one failed', async () => {
    const { hold, pass, sent } = setUp((act) =>
      act === 'first' ? Promise.reject(new Error('A fault of ours')) : Promise.resolve(),
    )
    hold.add('first')
    await expect(hold.flush()).rejects.toThrow('A fault of ours')
    hold.add('second')
    await pass(UNDO_MS)
    expect(sent).toEqual(['first', 'second'])
  })
})
