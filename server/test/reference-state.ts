import type { TestShop } from './app.ts'

const tables = ['vendors', 'vendor_delivery_areas', 'areas', 'blocks', 'holidays', 'products', 'settings', 'audit_log']

/** A hash of reference tables and the audit log, without tables that jobs write. */
export async function referenceState(shop: TestShop): Promise<string> {
  const parts = tables.map(
    (name) => `select '${name}', md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from ${name} t`,
  )
  return JSON.stringify(await shop.query(parts.join(' union all ')))
}
