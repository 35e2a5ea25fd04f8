import { describe, expect, it } from 'vitest'
import { botWorld, regular } from '../../../test/fixtures/bot-world.ts'

/** With orders of the regular customer, the last one first. */
async function worldWith(orders: readonly ('open' | 'delivered')[]) {
  const world = botWorld(regular)
  for (const status of orders.toReversed()) {
    for (const text of ['4 cartons hayrat half litre', 'checkout', 'yes']) await world.write(text)
    if (status === 'delivered') world.deliver()
  }
  return world
}

describe('a change of an order', () => {
  it.each([
    ['reschedule', 'move it to Thursday', { mostMoves: 10 }, 'changed too many times'],
    ['edit-items', 'add 2 cartons hayrat 200ml', { mostEdits: 10 }, 'changed as often as possible'],
  ] as const)('beyond its limit is refused for that reason (%s)', async (kind, text, details, expected) => {
    const world = await worldWith(['open'])
    const code = kind === 'reschedule' ? 'RESCHEDULE_CLOSED' : 'EDIT_CLOSED'
    world.refusals[kind] = { code, details: { status: 'new', ...details } }
    await world.write(text)
    expect(await world.write('yes')).toContain(expected)
  })

  it('without any order offers to begin one', async () => {
    const world = await worldWith([])
    expect(await world.write('غير موعد التوصيل')).toContain('ليست لديك طلبات بعد')
  })
})

describe('a complaint', () => {
  const ids = ({ orders }: { orders: readonly { id: string }[] }) => orders.map(({ id }) => id)

  it.each([
    ['one carton is missing', ['open', 'delivered', 'delivered'], 1],
    ['وصلوا مكسورين', ['open', 'delivered'], 1],
    ['القلن يسرب ماي', ['open', 'open'], 0],
    ['طعم الماي غريب', ['open', 'delivered'], 1],
    ['my order is late', ['delivered', 'open', 'open'], 1],
  ] as const)('is about the order that it fits: %s', async (text, orders, place) => {
    const world = await worldWith(orders)
    await world.write(text)
    expect(world.intents).toContainEqual({ do: 'call-person', reason: 'trouble', orderId: ids(world)[place] })
  })
})
