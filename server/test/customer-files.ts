import { type CustomerImportResult, importCustomers } from '@qatra/contract/users/customers-import'
import { fileForm } from './form.ts'
import type { Visitor } from './visitor.ts'

interface ImportResult {
  status: number
  code: string | undefined
  body: CustomerImportResult
  failed: CustomerImportResult['failed']
}

/** Uploads files of customers. A list of lines is a CSV file. */
export function customerFiles(who: Visitor, lang = 'en') {
  return async (contents: readonly string[] | Buffer, query = '', name?: string): Promise<ImportResult> => {
    const isList = !Buffer.isBuffer(contents)
    const file = fileForm(
      name ?? (isList ? 'customers.csv' : 'customers.xlsx'),
      isList ? contents.join('\r\n') : contents,
    )
    const headers = { ...file.headers, 'accept-language': lang }
    const { status, body, refusal } = await who.send('POST', `${importCustomers.path}${query}`, {
      raw: file.raw,
      headers,
    })
    const result = body as CustomerImportResult
    const failed = (status === 200 ? result.failed : refusal.details?.['failed']) as ImportResult['failed']
    return { status, code: refusal.code, body: result, failed }
  }
}

export const places = (failed: ImportResult['failed']) => failed.map(({ row, field }) => [row, field])
