import type { AuditEntry } from '@qatra/contract/audit'
import { exportAudit } from '@qatra/contract/audit'
import { exportBottles } from '@qatra/contract/bottles-admin'
import words from '@qatra/contract/messages/admin-audit.ar.json'
import { exportOrders } from '@qatra/contract/orders/admin'
import { attentions, orderSorts } from '@qatra/contract/orders/filters'
import { orderFields } from '@qatra/contract/orders/history'
import { updateArea } from '@qatra/contract/places/areas-admin'
import { exportProducts, productSorts } from '@qatra/contract/products/admin'
import { bottleTypeFields } from '@qatra/contract/products/bottle-types'
import { productFields } from '@qatra/contract/products/fields'
import { customerSorts, exportCustomers } from '@qatra/contract/users/customers'
import { userSorts } from '@qatra/contract/users/users'
import { updateVendor } from '@qatra/contract/vendors/admin'
import { businessFields } from '@qatra/contract/vendors/business'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { actsOf } from './search.ts'
import { Authors, Change, useSentence } from './sentences.tsx'

const entry: AuditEntry = {
  id: 'order-1',
  at: '2026-11-21T07:00:00.000Z',
  action: 'updated',
  resource: 'order',
  resourceId: 'ARSVWYESJBMBATYK',
  title: null,
  titleAr: null,
  vendorId: 1,
  notes: null,
  ipAddress: null,
  userAgent: null,
  user: { id: 1, name: 'Khalid', phone: '+97336000001' },
  onBehalfOf: { id: 2, name: null, phone: '+97336000002' },
  key: null,
  changes: [{ field: 'status', from: 'new', to: 'in-progress' }],
}
beforeEach(() => setUpScreen())
afterEach(cleanup)

function Entry({ of }: { of: AuditEntry }) {
  const sentence = useSentence()
  return (
    <main>
      <p>{sentence(of)}</p>
      <p>
        <Authors entry={of} />
      </p>
      {of.changes.map((change) => (
        <p key={change.field}>
          <Change resource={of.resource} change={change} />
        </p>
      ))}
    </main>
  )
}
const read = async (of: AuditEntry, lang: 'ar' | 'en') => {
  const { container } = await renderInAdmin(() => <Entry of={of} />, { lang })
  return [...container.querySelectorAll('main p')].map((p) =>
    p.textContent?.replace(/[\u2068\u2069]/g, '').replaceAll('\u00a0', ' '),
  )
}

it('an audit entry is described in either language, with both names, old and new value', async () => {
  expect(await read(entry, 'en')).toEqual([
    'Changed order ARSV WYES JBMB ATYK',
    'Khalidon behalf of +973 3600 0002',
    'Status: New→ / Processing',
  ])
  cleanup()
  expect(await read(entry, 'ar')).toEqual([
    'تعديل طلب ARSV WYES JBMB ATYK',
    'Khalidنيابة عن +973 3600 0002',
    'الحالة: جديد← / قيد التجهيز',
  ])
})

it('what one person changed of a record at one moment is one entry', () => {
  const at = '2026-11-21T08:00:00.000Z'
  const day = {
    ...entry,
    id: 'order-4',
    at,
    changes: [{ field: 'promisedDate', from: '2026-11-21', to: '2026-11-22' }],
  }
  const status = { ...entry, id: 'order-3', at, notes: 'asked for it' }
  const others = [
    { ...status, id: 'order-2', resourceId: 'BRSVWYESJBMBATYK' },
    { ...status, id: 'order-1', user: null },
    entry,
  ]
  const acts = actsOf([day, status, ...others])
  expect(acts.map(({ id }) => id)).toEqual(['order-4', 'order-2', 'order-1', 'order-1'])
  expect(acts[0]).toMatchObject({ notes: 'asked for it', changes: [{ field: 'status' }, { field: 'promisedDate' }] })
})

it('an audit entry of a campaign uses the names of campaign states, not of order states', async () => {
  const changes = [{ field: 'status', from: 'running', to: 'cancelled' }]
  const lines = await read({ ...entry, resource: 'campaign', changes }, 'ar')
  expect(lines.at(-1)).toBe('الحالة: جارية← / ملغاة')
})

it('an audit entry shows role names, and the shop itself if no person acted', async () => {
  const changes = [
    { field: 'role', from: 'driver', to: 'customer' },
    { field: 'isActive', from: true, to: false },
    { field: 'permissions', from: ['audit.read'], to: [] },
  ]
  const role = {
    ...entry,
    action: 'role-changed',
    resource: 'user',
    title: 'Rashid',
    user: null,
    onBehalfOf: null,
    changes,
  }
  expect(await read(role, 'en')).toEqual([
    'Changed the role of account Rashid',
    'The shop itself',
    'Role: Driver→ / Customer',
    'Active: yes→ / no',
    'Own permissions: audit.read→ / nothing',
  ])
})

it('an audit entry shows amounts, sizes, days, sorting and codes as text in both languages', async () => {
  const changes = [
    { field: 'sort', from: null, to: '-lastOrderAt' },
    { field: 'price', from: 0.9, to: 1 },
    { field: 'items.7.price', from: 1.5, to: 1.25 },
    { field: 'vatPercentage', from: 0, to: 10 },
    { field: 'size', from: '500ml', to: '1.5L' },
    { field: 'expiresAt', from: null, to: '2026-11-22T07:30:00.000Z' },
    { field: 'from', from: null, to: '2026-11-01' },
    { field: 'paymentMethod', from: 'cash', to: 'bank_transfer' },
    { field: 'notificationTypes', from: [], to: ['new_orders', 'order_updates'] },
    { field: 'attempt', from: null, to: 'wrong-address' },
    { field: 'by', from: null, to: 'promised' },
    { field: 'driverId', from: null, to: ['none', 5] },
    { field: 'templates', from: null, to: { added: 2, changed: 0, removed: 1 } },
    { field: 'means', from: ['cash'], to: ['cash', 'benefitpay'] },
    { field: 'limits', from: {}, to: { vendor_staff: 5 } },
  ]
  const en = await read({ ...entry, changes }, 'en')
  expect(en.slice(2)).toEqual([
    'Sorting: Last order, descending',
    'Price: BHD 0.900→ / BHD 1.000',
    'Price of product #7: BHD 1.500→ / BHD 1.250',
    'VAT: 0%→ / 10%',
    'Size: 500 ml→ / 1.5 L',
    'Valid until: 22 November 2026, 10:30 AM',
    'From: 1 November 2026',
    'Payment method: Cash→ / Bank transfer',
    'Notifications: nothing→ / New orders · Order news',
    'Reason: Wrong address',
    'How: Delivery day',
    'Driver: nobody · #5',
    'Templates: Added: 2 · Changed: 0 · Removed: 1',
    'Means of payment at the door: Cash→ / Cash · BenefitPay',
    'Refunds a day, at most: → / Vendor staff: BHD 5.000',
  ])
  cleanup()
  // The Arabic texts contain no currency unit or name here, so no Latin letter is expected.
  const ar = (await read({ ...entry, changes }, 'ar')).slice(2)
  expect(ar.filter((line) => /[a-z]/i.test(line ?? ''))).toEqual([])
})

it('an audit entry names the close of a day, its cash and its file', async () => {
  const day = { ...entry, resource: 'cash-day', resourceId: '2026-11-21' }
  const changes = [{ field: 'handedOver', from: null, to: 5.25 }]
  expect(await read({ ...day, action: 'closed', changes }, 'en')).toEqual([
    'Closed cash of the day 2026-11-21',
    'Khalidon behalf of +973 3600 0002',
    'Handed to the office: BHD 5.250',
  ])
  cleanup()
  const file = { ...entry, action: 'exported', resource: 'export', changes: [] }
  expect((await read({ ...file, resourceId: 'cash-day' }, 'en'))[0]).toBe('Exported the close of day')
  cleanup()
  expect((await read({ ...file, resourceId: 'campaign' }, 'ar'))[0]).toContain('ملف الحملة')
})

it('every recorded field and sort order has a label', () => {
  const fields = [
    ...productFields,
    ...orderFields,
    ...Object.keys(exportOrders.query?.shape ?? {}),
    ...Object.keys(exportCustomers.query?.shape ?? {}),
    ...Object.keys(exportBottles.query?.shape ?? {}),
    ...Object.keys(exportProducts.query?.shape ?? {}),
    ...Object.keys(exportAudit.query?.shape ?? {}),
    ...Object.keys(updateVendor.body?.shape ?? {}),
    ...businessFields,
    ...bottleTypeFields,
    ...Object.keys(updateArea.body?.shape ?? {}),
  ].filter((field) => !['lang', 'version'].includes(field))
  expect(fields.length).toBeGreaterThan(50)
  const sorts = [...customerSorts, ...orderSorts, ...productSorts, ...userSorts].map((sort) => sort.replace(/^-/, ''))
  const keys = [
    ...fields.map((field) => `audit.field.${field}`),
    ...sorts.map((sort) => `audit.value.sort.${sort}`),
    ...attentions.map((attention) => `audit.value.attention.${attention}`),
  ]
  expect(keys.filter((key) => !(key in words))).toEqual([])
})

it('an audit entry shows unknown actions and fields by their key', async () => {
  const later = {
    ...entry,
    action: 'teleported',
    resource: 'ship',
    resourceId: '7',
    changes: [{ field: 'warp', from: null, to: 9 }],
  }
  expect(await read(later, 'en')).toEqual(['teleported: record 7', 'Khalidon behalf of +973 3600 0002', 'warp: 9'])
})
