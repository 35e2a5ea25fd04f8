import type { AuditEntry } from '@qatra/contract/audit'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { renderInOffice, setUpScreen } from '../../ui/office/test-office.tsx'
import { Authors, Change, useSentence } from './sentences.tsx'

const entry: AuditEntry = {
  ...{
    id: 'order-1',
    at: '2026-11-21T07:00:00.000Z',
    action: 'updated',
    resource: 'order',
    resourceId: 'ARSVWYESJBMBATYK',
  },
  ...{ title: null, titleAr: null, vendorId: 1, notes: null, ipAddress: null, userAgent: null },
  user: { id: 1, name: 'Khalid', phone: '+97336000001' },
  onBehalfOf: { id: 2, name: null, phone: '+97336000002' },
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
  const { container } = await renderInOffice(() => <Entry of={of} />, { lang })
  return [...container.querySelectorAll('main p')].map((p) => p.textContent?.replace(/[\u2068\u2069]/g, ''))
}

it('is a sentence in either language, with both names, old and new', async () => {
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

it('calls what became of a campaign as campaigns are, not as orders are', async () => {
  const changes = [{ field: 'status', from: 'running', to: 'cancelled' }]
  const lines = await read({ ...entry, resource: 'campaign', changes }, 'ar')
  expect(lines.at(-1)).toBe('الحالة: جارية← / ملغاة')
})

it('names roles, and what nobody did', async () => {
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

it('shows acts and fields without words as they are called', async () => {
  const later = {
    ...entry,
    action: 'teleported',
    resource: 'ship',
    resourceId: '7',
    changes: [{ field: 'warp', from: null, to: 9 }],
  }
  expect(await read(later, 'en')).toEqual(['teleported: record 7', 'Khalidon behalf of +973 3600 0002', 'warp: 9'])
})
