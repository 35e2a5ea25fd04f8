import type { TestShop } from '../app.ts'
import { makeBottleType, makeOrder, makeUser, tomorrow } from '../fixtures/make.ts'
import { everything, NO_ID, ofEachVendor, ofVendor, type Row, type Sent, unknown } from './row.ts'

let phones = 0
const newPhone = () => `+97337${String(100_000 + (phones += 1))}`

type Body = (vendorId: number) => unknown

/** Staff of both vendors, a customer, and an unknown id. */
const person = (body?: Body): Row[] => [
  ...ofEachVendor(async (shop, vendorId) => ({
    params: { id: (await makeUser(shop, { role: vendorId === 1 ? 'driver' : 'vendor_sales', vendorId })).id },
    body: body?.(vendorId),
  })),
  {
    name: 'a customer',
    status: 404,
    but: { super_admin: 200 },
    send: async (shop) => ({ params: { id: (await makeUser(shop)).id }, body: body?.(1) }),
  },
  unknown(undefined, body?.(1)),
]
const noCredential = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key',
  response: { clientDataJSON: 'AA', attestationObject: 'AA', authenticatorData: 'AA', signature: 'AA' },
}
const passkeyOf = async (shop: TestShop, userId: number) => {
  const [made] = await shop.query<{ id: number }>(
    `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
     values ($1, gen_random_uuid(), 'AA', 0, '{}', 'Key') returning id`,
    [userId],
  )
  return made?.id ?? NO_ID
}
const forStaff = { customer: 403 } as const
const passkey = (body?: unknown): Row[] => [
  {
    name: 'own',
    status: 200,
    but: forStaff,
    send: async (shop, { userId }) => ({
      params: { id: await passkeyOf(shop, userId ?? (await makeUser(shop)).id) },
      body,
    }),
  },
  {
    name: 'foreign',
    status: 404,
    but: forStaff,
    send: async (shop) => ({ params: { id: await passkeyOf(shop, (await makeUser(shop)).id) }, body }),
  },
  { ...unknown(undefined, body), but: forStaff },
]
const list: Row[] = [
  everything(),
  ...ofEachVendor((_, vendorId) => ({ query: { vendorId: String(vendorId) } }), { elsewhere: 403 }),
]

async function customerOf(shop: TestShop, vendorId: number) {
  const { id } = await makeUser(shop)
  await makeOrder(shop, { userId: id, vendorId })
  return id
}
/** A customer of the vendor and one of its types of bottles. */
const holderOf = async (shop: TestShop, vendorId: number) => ({
  customerId: await customerOf(shop, vendorId),
  typeId: await makeBottleType(shop, vendorId),
})
async function visitOf(shop: TestShop, vendorId: number) {
  const [visit] = await shop.query<{ id: number }>(
    `insert into visits (vendor_id, kind, day, customer_id, customer_name, phone, address, lat, lng)
     values ($1, 'service', current_date, $2, 'Ali', '+97336000006', 'Seef', 26.2, 50.5) returning id`,
    [vendorId, await customerOf(shop, vendorId)],
  )
  return { params: { id: visit?.id ?? 0 } }
}
const newKey = () => crypto.randomUUID()
const customer = (body?: unknown): Row[] => [
  ...ofEachVendor(async (shop, vendorId) => ({ params: { id: await customerOf(shop, vendorId) }, body })),
  unknown(undefined, body),
]

/** A note of this vendor about a customer of both vendors. */
async function noteOf(shop: TestShop, vendorId: number): Promise<Sent> {
  const id = await customerOf(shop, 1)
  await makeOrder(shop, { userId: id, vendorId: 2 })
  const [note] = await shop.query<{ id: number }>(
    `insert into customer_notes (user_id, vendor_id, body) values ($1, $2, 'a note') returning id`,
    [id, vendorId],
  )
  return { params: { id, noteId: note?.id ?? 0 } }
}

async function invitationOf(shop: TestShop, vendorId: number, phone = newPhone()): Promise<number> {
  const { id: invitedBy } = await makeUser(shop, { role: 'vendor_admin', vendorId })
  const [row] = await shop.query<{ id: number }>(
    `insert into staff_invitations (vendor_id, phone, name, role, invited_by, expires_at, sent_at)
     values ($1, $2, 'Ali', 'driver', $3, now() + interval '1 day', now() - interval '1 hour') returning id`,
    [vendorId, phone, invitedBy],
  )
  return row?.id ?? 0
}
const adminInvitation: Row[] = [
  ...ofEachVendor(async (shop, vendorId) => ({ params: { id: await invitationOf(shop, vendorId) } })),
  unknown(),
]
/** An invitation to the caller's phone; staff cannot accept it without `leave`. */
const ownInvitation = (status: number, customer: number, body?: unknown): Row[] => [
  {
    name: 'own',
    status,
    but: { customer },
    send: async (shop, { userId }) => {
      const [self] = await shop.query<{ phone: string }>('select phone from users where id = $1', [userId])
      return { params: { id: await invitationOf(shop, 1, self?.phone) }, body }
    },
  },
  { name: 'foreign', status: 404, send: async (shop) => ({ params: { id: await invitationOf(shop, 1) }, body }) },
  unknown(undefined, body),
]

export const peopleRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/users': list,
  'POST /api/admin/users': ofEachVendor(
    (_, vendorId) => ({ body: { phone: newPhone(), name: 'Ali', role: 'driver', vendorId } }),
    { elsewhere: 403 },
  ),
  'GET /api/admin/invitations': list,
  'POST /api/admin/invitations/{id}/resend': adminInvitation,
  'DELETE /api/admin/invitations/{id}': adminInvitation,
  'GET /api/auth/invitations': [everything()],
  'POST /api/auth/invitations/{id}/accept': ownInvitation(409, 200, {}),
  'GET /api/auth/passkeys': [{ ...everything(), but: forStaff }],
  'POST /api/auth/passkeys/options': [{ ...everything(), but: forStaff }],
  'POST /api/auth/passkeys': [
    { ...everything(), status: 422, but: forStaff, send: () => ({ body: { name: 'Key', credential: noCredential } }) },
  ],
  'PATCH /api/auth/passkeys/{id}': passkey({ name: 'Phone' }),
  'DELETE /api/auth/passkeys/{id}': passkey(),
  'POST /api/auth/verify/passkey/options': [everything()],
  'POST /api/auth/verify/passkey': [
    { ...everything(), status: 422, send: () => ({ body: { credential: noCredential } }) },
  ],
  'POST /api/admin/users/{id}/passkey-recovery': [
    {
      name: 'another super admin',
      status: 200,
      send: async (shop) => {
        const { id } = await makeUser(shop, { role: 'super_admin' })
        await passkeyOf(shop, id)
        return { params: { id } }
      },
    },
    unknown(),
  ],
  'POST /api/auth/invitations/{id}/decline': ownInvitation(200, 200),
  'GET /api/admin/users/{id}': person(),
  'PATCH /api/admin/users/{id}': person(() => ({ name: 'Ali' })),
  'PUT /api/admin/users/{id}/role': person((vendorId) => ({ role: 'vendor_staff', vendorId })),
  'DELETE /api/admin/users/{id}/vendor-access': person(),
  'POST /api/admin/impersonate/{userId}': [
    {
      name: 'a customer',
      status: 200,
      send: async (shop) => ({ params: { userId: (await makeUser(shop)).id }, body: { reason: 'to help' } }),
    },
    {
      name: 'a super admin',
      status: 403,
      send: async (shop) => ({
        params: { userId: (await makeUser(shop, { role: 'super_admin' })).id },
        body: { reason: 'to help' },
      }),
    },
    { name: 'nobody', status: 404, send: () => ({ params: { userId: NO_ID }, body: { reason: 'to help' } }) },
  ],
  'POST /api/admin/impersonate/stop': [{ name: 'oneself already', status: 200 }],
  'GET /api/admin/impersonate/status': [everything()],
  'GET /api/admin/customers': list,
  'GET /api/admin/customers.csv': list,
  'GET /api/admin/customers/tags': list,
  'GET /api/admin/customers/import': [everything()],
  'POST /api/admin/customers/import': [
    // Files are uploaded as a form; server/customers/import tests that.
    { name: 'no form', status: 415, send: () => ({ body: {} }) },
  ],
  'POST /api/admin/users/import': [
    // Files are uploaded as a form; server/invitations tests that.
    { name: 'no form', status: 415, send: () => ({ body: {} }) },
  ],
  'DELETE /api/admin/customers/import/{importId}': [
    {
      name: 'an import',
      status: 200,
      send: async (shop) => {
        const [row] = await shop.query<{ id: number }>(
          `insert into customer_imports (file_hash, rows) values ('x', 0) returning id`,
        )
        return { params: { importId: row?.id ?? 0 } }
      },
    },
    { name: 'nothing', status: 404, send: () => ({ params: { importId: NO_ID } }) },
  ],
  'GET /api/admin/customers/import/template.csv': [everything()],
  'GET /api/admin/customers/{id}': customer(),
  'POST /api/admin/customers/{id}/notes': customer({ body: 'Rings twice' }),
  'DELETE /api/admin/customers/{id}/notes/{noteId}': [...ofEachVendor(noteOf), unknown({ id: NO_ID, noteId: NO_ID })],
  'POST /api/admin/customers/{id}/due': customer({ answer: 'later' }),
  'PUT /api/admin/customers/{id}/tags': customer({ tags: ['office'] }),
  'GET /api/admin/bottles': list,
  'GET /api/admin/bottles.csv': list,
  'GET /api/admin/bottles/entries': ofEachVendor(async (shop, vendorId) => {
    const { typeId, customerId } = await holderOf(shop, vendorId)
    return { query: { typeId: String(typeId), customerId: String(customerId) } }
  }),
  'POST /api/admin/bottles/entries': ofEachVendor(async (shop, vendorId) => ({
    body: {
      ...(await holderOf(shop, vendorId)),
      kind: 'returned',
      count: 1,
      reason: 'Came to the depot',
      key: newKey(),
    },
  })),
  'GET /api/admin/visits': list,
  'POST /api/admin/visits': ofEachVendor(
    async (shop, vendorId) => ({
      body: { vendorId, kind: 'service', customerId: await customerOf(shop, vendorId), date: tomorrow() },
    }),
    { elsewhere: 403 },
  ),
  'PATCH /api/admin/visits/{id}': [
    ...ofEachVendor(async (shop, vendorId) => ({ ...(await visitOf(shop, vendorId)), body: { note: 'Rings twice' } }), {
      but: { driver: 404 },
    }),
    ofVendor(
      1,
      async (shop, _, { userId }) => {
        const { params } = await visitOf(shop, 1)
        await shop.query(`update visits set driver_id = $2 where id = $1 and $2 in (select id from users)`, [
          params.id,
          userId,
        ])
        return { params, body: { status: 'failed', reason: 'absent' } }
      },
      { name: 'of the person' },
    ),
    unknown(undefined, { note: 'Rings twice' }),
  ],
  'DELETE /api/admin/visits/{id}': [...ofEachVendor(visitOf), unknown()],
  'GET /api/admin/audit': list,
  'GET /api/admin/audit.csv': list,
}
