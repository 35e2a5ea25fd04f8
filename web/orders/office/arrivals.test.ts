import { describe, expect, it } from 'vitest'
import { type Arrivals, counted, heldOf, none, opened, since, withList } from './arrivals.ts'

const list = (now: string, ...ids: string[]) => ({ now, items: ids.map((id) => ({ id })) })
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 24, 6, minutes)).toISOString()
const answer = (...ids: string[]) => ({ arrived: ids.length, arrivedIds: ids })

describe('new orders held for the desk', () => {
  it('are asked for from the time of the list on, with a margin for those being written then', () => {
    expect(since(none)).toBeNull()
    expect(since(withList(none, list(at(0), 'a')))).toBe(new Date(Date.UTC(2026, 10, 24, 5, 59, 45)).toISOString())
  })

  it('stay held while other rows change and the list is read again, until they stand in the list', () => {
    let state: Arrivals = withList(none, list(at(0), 'a', 'b'))
    state = counted(state, answer('n1', 'n2', 'a'))
    expect(heldOf(state)).toEqual({ ids: ['n1', 'n2'], count: 2 })
    // A colleague changed a row: the same list, drawn again.
    state = withList(state, list(at(0), 'a', 'b'))
    expect(heldOf(state).count).toBe(2)
    // Another page of the list, read later: neither order is on it.
    state = withList(state, list(at(5), 'c', 'd'))
    state = counted(state, answer('n1', 'n2', 'a'))
    expect(heldOf(state).count).toBe(2)
    state = withList(state, list(at(6), 'n1', 'a'))
    expect(heldOf(state)).toEqual({ ids: ['n2'], count: 1 })
    state = withList(state, list(at(7), 'n2', 'n1', 'a'))
    expect(heldOf(state).count).toBe(0)
  })

  it('include those that arrived after an older list that is shown again', () => {
    let state = withList(none, list(at(9), 'a'))
    state = withList(state, list(at(1), 'b'))
    expect(since(state)).toBe(new Date(Date.UTC(2026, 10, 24, 6, 0, 45)).toISOString())
  })

  it('are held no more once the list was opened for them, even where a colleague has moved one on', () => {
    const held = counted(withList(none, list(at(0))), answer('n1', 'moved'))
    const state = withList(opened(held, at(2)), list(at(2), 'n1'))
    expect(heldOf(state).count).toBe(0)
    expect(heldOf(counted(state, answer('n1', 'moved'))).count).toBe(0)
    expect(heldOf(counted(state, answer('n2'))).count).toBe(1)
  })

  it('are counted to the end where more came than are named', () => {
    const state = counted(withList(none, list(at(0))), { arrived: 250, arrivedIds: ['n1', 'n2'] })
    expect(heldOf(state).count).toBe(250)
    expect(heldOf(withList(state, list(at(1), 'n1'))).count).toBe(249)
  })
})
