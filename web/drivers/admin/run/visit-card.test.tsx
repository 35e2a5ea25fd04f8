import type { Run } from '@qatra/contract/drivers'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderIn } from '../../../ui/test-page.tsx'
import { applyActions, type RunAction } from './run-actions.ts'
import { testRun, testStop } from './test-run.ts'
import { VisitCard } from './VisitCard.tsx'

afterEach(cleanup)

const bottles = [{ typeId: 7, name: 'Gallon', nameAr: 'غالون', deposit: 2, held: 6, depositHeld: 12 }]
const visit = {
  id: 12,
  kind: 'collect-bottles' as const,
  bottles: 4,
  amount: null,
  note: 'Behind the gate',
  returned: null,
  paid: 0,
}
const stop = testStop('visit-12', { visit, bottles, cashToCollect: 0, total: 0, due: 0 })

async function open({ of = stop, refundChoice = true, limit = null as Run['refundLimit'] } = {}) {
  const [deliver, attempt] = [vi.fn(), vi.fn()]
  const run = { ...testRun([of]), refundChoice, bottleDifference: 'owed' as const, refundLimit: limit }
  const state = { run, deliver, attempt }
  await renderIn('en', <VisitCard stop={of} visit={of.visit ?? visit} state={state} />)
  return { deliver, attempt }
}
const press = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }))

describe('a stop without an order', () => {
  it('counts as many empties as expected, and pays back what the driver chooses', async () => {
    const { deliver } = await open()
    expect(screen.getByText('Behind the gate')).toBeDefined()
    fireEvent.click(screen.getByRole('radio', { name: 'Pay back now' }))
    press(/one more|more|\+/i)
    press(/paid back/i)
    expect(deliver).toHaveBeenCalledWith(stop, [{ means: 'cash', amount: -10 }], {
      bottles: [{ typeId: 7, returned: 5 }],
    })
  })

  it('keeps the deposits as credit where nobody says that they are paid back', async () => {
    const { deliver } = await open({ refundChoice: false })
    expect(screen.queryByRole('radio')).toBeNull()
    press(/visit done/i)
    expect(deliver).toHaveBeenCalledWith(stop, null, { bottles: [{ typeId: 7, returned: 4 }] })
  })

  it('pays back no more than the deposits that are held', async () => {
    const { deliver } = await open({ of: { ...stop, bottles: bottles.map((one) => ({ ...one, depositHeld: 5 })) } })
    fireEvent.click(screen.getByRole('radio', { name: 'Pay back now' }))
    press(/paid back/i)
    expect(deliver).toHaveBeenCalledWith(expect.anything(), [{ means: 'cash', amount: -1 }], expect.anything())
  })

  it('offers nothing above what the driver may still pay back today, and says how much that is', async () => {
    const { deliver } = await open({ limit: { limit: 10_000, refunded: 2500 } })
    expect(screen.queryByRole('radio', { name: 'Pay back now' })).toBeNull()
    expect(screen.getByText(/^Today you may pay back BHD.7\.500 more \(limit: BHD.10\.000 a day\)/)).toBeDefined()
    press(/visit done/i)
    expect(deliver).toHaveBeenCalledWith(stop, null, { bottles: [{ typeId: 7, returned: 4 }] })
    cleanup()
    await open({ limit: { limit: 10_000, refunded: 2000 } })
    expect(screen.getByRole('radio', { name: 'Pay back now' })).toBeDefined()
    cleanup()
    const refund = { ...stop, visit: { ...visit, kind: 'refund' as const, bottles: null, amount: 8 } }
    const { deliver: done } = await open({ of: refund, limit: { limit: 7999, refunded: 0 } })
    press(/visit done/i)
    expect(done).not.toHaveBeenCalled()
  })

  it('is done in the run before the report is sent, with the cash that is left', () => {
    const action: RunAction = {
      key: 'k',
      orderId: 'visit-12',
      visitId: 12,
      at: '2026-11-22T08:00:00.000Z',
      sendAfter: 0,
      kind: 'deliver',
      amount: -8,
      payments: [{ means: 'cash', amount: -8, key: 'p' }],
      bottles: [{ typeId: 7, returned: 4 }],
    }
    const start = testRun([stop, testStop('O-a', { bottles })], { inHand: 20, collected: 20, expected: 20 })
    const run = applyActions({ ...start, refundLimit: { limit: 10_000, refunded: 1000 } }, [action])
    expect(run.refundLimit).toEqual({ limit: 10_000, refunded: 9000 })
    expect(run.cash).toMatchObject({ inHand: 12, collected: 12, expected: 12 })
    expect(run.stops).toMatchObject([
      { status: 'delivered', visit: { returned: 4, paid: 8 }, cashCollected: -8 },
      { bottles: [{ held: 2 }] },
    ])
    expect(run.van).toMatchObject([{ typeId: 7, returned: 4, empties: 4 }])
  })
})
