import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { knownOf, sentences } from '../../test/fixtures/bot-corpus.ts'
import { judgeRow, type RowOutcome, rowsIn } from '../../test/fixtures/bot-rows.ts'
import { botWorld, regular } from '../../test/fixtures/bot-world.ts'
import { sample, sampleSeed } from '../../test/sample.ts'

const mayChange = /order|change|again|clear|undo|yes|checkout|more|number/

it('no sentence changes the cart, places an order or becomes a name unless it says so', async () => {
  for (const sentence of sentences()) {
    const { state, vendorId, productId, cart } = knownOf(sentence)
    const world = botWorld(regular)
    for (const line of cart) world.lines.set(line.productId, line.quantity)
    const before = JSON.stringify([...world.lines])
    Object.assign(world.memory, {
      state,
      vendorId,
      productId,
      lastAt: world.now,
      point: { lat: 26.2378, lng: 50.5402 },
      isNoted: state !== 'notes',
    })
    await world.write(sentence.text)
    const [expected = ''] = sentence.expect.split(' | ')
    const said = `${sentence.text} [${state}] → ${world.text()}`
    if (!mayChange.test(expected)) expect(JSON.stringify([...world.lines]), said).toBe(before)
    expect(world.placed.length, said).toBe(0)
    if (!expected.includes('name')) expect(world.memory.name, said).toBeNull()
    expect(world.replies.length, said).toBeGreaterThan(0)
  }
})

it(`tuned conversations have the outcome that a good employee would reach, and none does harm (seed ${sampleSeed})`, async () => {
  const outcomes: RowOutcome[] = []
  const rows = rowsIn(readFileSync(new URL('../conversations/tuned.jsonl', import.meta.url), 'utf8'))
  for (const row of sample(rows, 0.5)) outcomes.push(await judgeRow(row))
  const said = (some: readonly RowOutcome[]) => some.map(({ row, found }) => `${row.say} → ${found}`).join('\n')
  expect(said(outcomes.filter(({ isHarmful }) => isHarmful))).toBe('')
  expect(said(outcomes.filter(({ isRight }) => !isRight))).toBe('')
})
