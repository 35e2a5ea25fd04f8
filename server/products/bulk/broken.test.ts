import { expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { wholeState } from '../../test/ask.ts'
import { heading, item, line, places, uploads } from '../../test/fixtures/bulk.ts'

const shop = await startShop({ role: 'web' })
const boss = await shop.visitor().signInAs('+97336000001')
const { sendFile, sendJson } = uploads(boss)

it.each([
  ['a quote that is not closed', `1,"Open,1,1L,https://x.example\n${line()}`],
  ['a quote in the wrong place', `1,"Open"x,1,1L,https://x.example\n${line()}`],
  ['a cell beyond measure', `1,${'x'.repeat(9_000)}`],
])('a parse error (%s) after invalid rows is reported together with the problems of those rows', async (_, broken) => {
  await sendJson([item({ name: 'Stored before', size: '2L' })])
  const before = await wholeState(shop)
  const rows = [line({ price: '0' }), line(), '', line({ name: 'Stored before', size: '2L' }), line({ vendorId: 999 })]
  const contents = [heading, ...rows, broken].join('\n')
  const refused = [
    [2, 'price'],
    [5, 'name'],
    [6, 'vendorId'],
    [7, 'file'],
  ]
  const dry = await sendFile(contents, { query: '?dryRun=true' })
  expect([dry.status, dry.body.created, dry.body.rows, places(dry.failed)]).toEqual([200, 0, 0, refused])
  for (const query of ['', '?partial=true']) {
    const answer = await sendFile(contents, { query })
    expect([answer.status, answer.code, answer.problem]).toEqual([422, 'BULK_REFUSED', 'File parsing error'])
    expect(answer.failed).toEqual(dry.failed)
  }
  expect(await wholeState(shop)).toEqual(before)
})

it.each([0, 1, 2])(
  'brackets in a long text of JSON are no nesting (first piece ends after %s more letters)',
  async (more) => {
    const name = `${'x'.repeat(more)}${'"['.repeat(30_000)}`
    const { status, failed } = await sendJson([item({ name })], { query: '?dryRun=true' })
    expect([status, places(failed)]).toEqual([200, [[1, 'name']]])
  },
)
