import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { heading, item, line, uploads } from '../../test/fixtures/bulk.ts'

const shop = await startShop()
const { sendFile, sendJson } = uploads(await shop.visitor().signInAs('+97336000002'))

describe('bulk uploads', () => {
  it('accept 1 000 rows', async () => {
    const lines = [heading, ...Array.from({ length: 1000 }, () => line())].join('\n')
    const { body } = await sendFile(lines)
    expect(body).toMatchObject({ created: 1000, failed: [], rows: 1000 })
  })

  it('of one person run one at a time, and return 429 when too many wait', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendJson({ products: [item()] })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4)
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
    expect((await sendJson({ products: [item()] })).status).toBe(200)
  })
})
