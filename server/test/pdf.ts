import { execFileSync } from 'node:child_process'
import type { TestShop } from './app.ts'
import type { Visitor } from './visitor.ts'

/** The receipt of an order as bytes, requested by staff. */
export const managedPdf =
  (shop: TestShop, by: Visitor) =>
  async (id: string, query = '') => {
    const cookie = [...by.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const url = `/api/admin/orders/${id}/receipt.pdf?${query}`
    const { statusCode, headers, rawPayload } = await shop.app.http.inject({ method: 'GET', url, headers: { cookie } })
    return { status: statusCode, headers, bytes: rawPayload }
  }

/** The text of a PDF as copied, without bidi marks. */
export const textOf = (bytes: Buffer) =>
  execFileSync('pdftotext', ['-layout', '-', '-'], { input: bytes, stdio: ['pipe', 'pipe', 'ignore'] })
    .toString()
    .replace(/[\u2066-\u2069\u202a-\u202e]/g, '')
    .replace(/\u00a0/g, ' ')
