import { describe, expect, it } from 'vitest'
import { type Arrivals, counted, heldOf, none, opened, since, withList } from './arrivals.ts'

const list = (now: string, ...ids: string[]) => ({ now, items: ids.map((id) => ({ id })) })
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 24, 6, minutes)).toISOString()
const answer = (...ids: string[]) => ({ arrived: ids.length, arrivedIds: ids })

describe('new orders held for the desk', () => {
  it('are requested from the time of the list, with a margin for orders being committed', () => {
    expect(since(none)).toBeNull()
    expect(since(withList(none, list(at(0), 'a')))).toBe(new Date(Date.UTC(2026, 10, 24, 5, 59, 45)).toISOString())
  })

  it('stay held while other rows change and the list is refetched, until the list contains them', () => {
    let state: Arrivals = withList(none, list(at(0), 'a', 'b'))
    state = counted(state, answer('n1', 'n2', 'a'))
    expect(heldOf(state)).toEqual({ ids: ['n1', 'n2'], count: 2 })
    // A colleague changed a row: the same list is rendered again.
    state = withList(state, list(at(0), 'a', 'b'))
    expect(heldOf(state).count).toBe(2)
    // Another page of the list, read later, contains neither order.
    state = withList(state, list(at(5), 'c', 'd'))
    state = counted(state, answer('n1', 'n2', 'a'))
    expect(heldOf(state).count).toBe(2)
    state = withList(state, list(at(6), 'n1', 'a'))
    expect(heldOf(state)).toEqual({ ids: ['n2'], count: 1 })
    state = withList(state, list(at(7), 'n2', 'n1', 'a'))
    expect(heldOf(state).count).toBe(0)
  })

  it('include those that arrived after a cached older list', () => {
    let state = withList(none, list(at(9), 'a'))
    state = withList(state, list(at(1), 'b'))
    expect(since(state)).toBe(new Date(Date.UTC(2026, 10, 24, 6, 0, 45)).toISOString())
  })

  it('are released once the list was opened for them, even if a colleague has changed the status of one', () => {
    const held = counted(withList(none, list(at(0))), answer('n1', 'moved'))
    const state = withList(opened(held, at(2)), list(at(2), 'n1'))
    expect(heldOf(state).count).toBe(0)
    expect(heldOf(counted(state, answer('n1', 'moved'))).count).toBe(0)
    expect(heldOf(counted(state, answer('n2'))).count).toBe(1)
  })

  it('are counted in full if the server lists only some of the ids', () => {
    const state = counted(withList(none, list(at(0))), { arrived: 250, arrivedIds: ['n1', 'n2'] })
    expect(heldOf(state).count).toBe(250)
    expect(heldOf(withList(state, list(at(1), 'n1'))).count).toBe(249)
  })
})
