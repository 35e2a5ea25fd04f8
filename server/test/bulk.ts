import { type BulkResult, bulkProducts } from '@qatra/contract/products/bulk'
import { fileForm } from './form.ts'
import type { Visitor } from './visitor.ts'

const english = { 'accept-language': 'en' }
const url = bulkProducts.path

let counter = 0
/** A unique number for names. */
export const next = () => ++counter
export const heading = 'vendorId,name,price,size,imageUrl'
export const line = (
  about: { name?: string; vendorId?: number | string; price?: string; size?: string; imageUrl?: string } = {},
) => {
  const {
    vendorId = 1,
    name = `Bulk ${next()}`,
    price = '1.500',
    size = '500ml',
    imageUrl = 'https://x.example/a.jpg',
  } = about
  return [vendorId, name, price, size, imageUrl].join(',')
}
export const item = (about: object = {}) => ({
  vendorId: 1,
  name: `Bulk ${next()}`,
  price: 1.5,
  size: '500ml',
  imageUrl: 'https://x.example/a.jpg',
  ...about,
})

export interface ImportResult {
  status: number
  body: BulkResult
  code: string | undefined
  problem: unknown
  failed: { row: number; field: string; reason: string }[]
}
async function resultOf(
  answer: Promise<{ status: number; body: unknown; refusal: { code?: string; details?: Record<string, unknown> } }>,
): Promise<ImportResult> {
  const { status, body, refusal } = await answer
  const result = body as BulkResult
  const failed = (status === 200 ? result.failed : refusal.details?.['failed']) as ImportResult['failed']
  return { status, body: result, code: refusal.code, problem: refusal.details?.['problem'], failed }
}
export const places = (failed: ImportResult['failed']) => failed.map(({ row, field }) => [row, field])

/** Uploads files and lists of products, as `admin` by default. */
export function uploads(admin: Visitor) {
  const sendFile = (contents: string | Buffer, { name = 'products.csv', query = '', who = admin } = {}) => {
    const { raw, headers } = fileForm(name, contents)
    return resultOf(who.send('POST', `${url}${query}`, { raw, headers: { ...headers, ...english } }))
  }
  const sendJson = (body: unknown, { query = '', who = admin } = {}) =>
    resultOf(who.send('POST', `${url}${query}`, { body, headers: english }))
  return { sendFile, sendJson }
}
