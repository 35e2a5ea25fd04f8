import { eraseAccount, exportAccount, getMe } from '@qatra/contract/users/auth'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import {
  type AdminInvitation,
  acceptInvitation,
  declineInvitation,
  listAdminInvitations,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from '@qatra/contract/users/invitations'
import { importPeople, type StaffImportResult } from '@qatra/contract/users/people-import'
import { createUser, listUsers } from '@qatra/contract/users/users'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteOldRows } from '../jobs/retention.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { inbox, newPhone, signInByCode, until } from '../test/fixtures/codes.ts'
import { fileForm } from '../test/fixtures/form.ts'
import { makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { repeated } from '../test/sample.ts'
import type { Visitor } from '../test/visitor.ts'
import { personCells } from './import.commands.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})
const adminOf = (vendorId: number) => makeVisitor(shop, { role: 'vendor_admin', vendorId })
const idOf = (id: number) => ({ params: { id: String(id) } })

async function invite(admin: Visitor, phone: string, role: 'driver' | 'vendor_staff' = 'driver') {
  const answer = await admin.call(createUser, { body: { phone, name: 'Ali', role } })
  const invitation = 'invitation' in answer.body ? answer.body.invitation : null
  return { ...answer, invitation: invitation as AdminInvitation } // null only for refused calls, whose tests read the status
}
const roleOf = async (phone: string) => {
  const [row] = await shop.query('select role, vendor_id from users where phone = $1', [phone])
  return row
}

describe('people as lines', () => {
  it.each([
    ['يوسف علي 3600 1234 سائق', ['يوسف علي', '3600 1234', 'سائق']],
    ['36001234 يوسف علي', ['يوسف علي', '36001234', '']],
    ['سائق: يوسف علي، ‎+973 3600-1234', ['يوسف علي', '+973 3600-1234', 'سائق']],
    ['- Sara Ahmed | office staff? | 36001234', ['Sara Ahmed | office staff?', '36001234', '']],
    ['مريم حسن - موظف مكتب - ٣٦٠٠١٢٣٤', ['مريم حسن', '٣٦٠٠١٢٣٤', 'موظف مكتب']],
    ['سائق', ['سائق', '', '']],
    ['', ['', '', '']],
  ])('%s is split into name, phone and role', (line, cells) => {
    expect(personCells(line).map((cell) => cell.replace(/\p{Cf}/gu, ''))).toEqual(cells)
  })

  const send = async (who: Visitor, lines: readonly string[], query: string, plan?: unknown) => {
    const form = fileForm('pasted.txt', lines.join('\n'), { plan })
    const { status, body } = await who.send('POST', `${importPeople.path}${query}`, form)
    return { status, body: body as StaffImportResult }
  }
  const mapping = { name: [0], phone: [1], role: [2] }

  it('become accounts of a vendor, after a dry run that shows them and writes nothing', async () => {
    const boss = await shop.visitor().signInAs('+97336000001')
    const [driver, clerk] = [newPhone(), newPhone()]
    const lines = [`يوسف علي ${driver.slice(4)} سائق`, `Maryam Hasan, ${clerk.slice(4)}, office`, `علي ${driver}`, 'نص']
    const dry = await send(boss, lines, '?dryRun=true&vendorId=1')
    expect(dry.body).toMatchObject({ created: 2, rows: 4, failedRows: 2 })
    expect(dry.body.reading?.columns.map(({ field, isGuessed }) => [field, isGuessed])).toEqual([
      ['name', false],
      ['phone', false],
      ['role', false],
    ])
    expect(await roleOf(driver)).toBeUndefined()
    expect((await send(boss, lines, '?vendorId=1', { heading: 0, mapping })).status).toBe(422)
    const done = await send(boss, lines, '?partial=true&vendorId=1', { heading: 0, mapping })
    expect([done.status, done.body.created]).toEqual([200, 2])
    expect([await roleOf(driver), await roleOf(clerk)]).toEqual([
      { role: 'driver', vendor_id: 1 },
      { role: 'vendor_staff', vendor_id: 1 },
    ])
    const again = await send(boss, lines.slice(0, 2), '?dryRun=true&vendorId=1')
    expect(again.body.reading?.problems).toMatchObject([{ field: 'phone', problem: 'staffFile.taken', count: 2 }])
    expect((await send(boss, [`علي ${newPhone()}`], '?dryRun=true')).body.failedRows).toBe(1)
  })

  it('become invitations of a vendor’s admin, who gives no role above the own and learns of no account', async () => {
    const admin = await adminOf(1)
    const customer = (await makeUser(shop)).phone
    const lines = [`علي ${newPhone()} سائق`, `حسن ${newPhone()} مدير`, `سارة ${customer} مبيعات`]
    const { body } = await send(admin, lines, '?partial=true', { heading: 0, mapping })
    expect([body.created, body.failed.map(({ row, field }) => [row, field])]).toEqual([2, [[2, 'role']]])
    const { items } = (await admin.call(listAdminInvitations, { query: { limit: 100 } })).body
    expect(items.map(({ phone }) => phone)).toContain(customer)
    const dry = await send(admin, lines.slice(2), '?dryRun=true')
    expect(dry.body.reading?.problems).toMatchObject([{ problem: 'staffFile.invited' }])
  })
})

describe('adding a person as a vendor’s admin', () => {
  it('as an agent needs the permissions of the preset; the accepting person has them alone', async () => {
    const [admin, phone] = [await adminOf(1), newPhone()]
    const asked = { phone, name: 'Ali', role: 'vendor_staff', preset: 'agent' } as const
    expect((await admin.call(createUser, { body: asked })).status).toBe(403)
    await shop.query(`update users set permissions = '{whatsapp.read,whatsapp.reply}' where id = $1`, [admin.id])
    const { body } = await admin.call(createUser, { body: asked })
    expect(body).toMatchObject({ outcome: 'invited', invitation: { role: 'vendor_staff', preset: 'agent' } })
    const ali = await signInByCode(shop, phone)
    const [own] = (await ali.call(listInvitations)).body
    expect(own?.preset).toBe('agent')
    await ali.call(acceptInvitation, { ...idOf(own?.id ?? 0), body: {} })
    expect(await shop.query('select role, preset, permissions from users where phone = $1', [phone])).toEqual([
      { role: 'vendor_staff', preset: 'agent', permissions: [] },
    ])
  })

  it('gives the same response and does the same work for phones with and without an account', async () => {
    const people = {
      nobody: newPhone(),
      customer: (await makeUser(shop)).phone,
      otherStaff: (await makeUser(shop, { role: 'vendor_staff', vendorId: 2 })).phone,
      superAdmin: (await makeUser(shop, { role: 'super_admin' })).phone,
    }
    const admin = await adminOf(1)
    const before = await shop.query('select * from users where phone = any($1) order by id', [Object.values(people)])
    const answers: unknown[] = []
    for (const phone of Object.values(people)) {
      const { status, body, invitation } = await invite(admin, phone)
      expect(status).toBe(200)
      const text = JSON.stringify(body)
        .replaceAll(phone, 'PHONE')
        .replaceAll(/\d{4}-[^"]*Z/g, 'TIME')
      answers.push(text.replace(`"id":${invitation.id}`, '"id":0'))
      await until('the message', async () => (await inbox(shop, phone)).length > 0)
    }
    expect(new Set(answers).size).toBe(1)
    expect(await shop.query('select * from users where phone = any($1) order by id', [Object.values(people)])).toEqual(
      before,
    )
    // None of them is listed among the vendor's staff.
    const { items } = (await admin.call(listUsers, { query: { limit: 100 } })).body
    expect(items.filter(({ phone }) => Object.values(people).includes(phone))).toEqual([])
  })

  it('answers PHONE_TAKEN with the id of a person of the same vendor', async () => {
    const own = await makeUser(shop, { role: 'driver', vendorId: 1 })
    const { status, refusal } = await invite(await adminOf(1), own.phone)
    expect([status, refusal.code, refusal.details['userId']]).toEqual([409, 'PHONE_TAKEN', own.id])
  })

  it('creates one of ten parallel invitations of a vendor to the same phone', async () => {
    const phone = newPhone()
    const admins = await Promise.all(Array.from({ length: 10 }, () => adminOf(1)))
    const answers = await Promise.all(admins.map((admin) => invite(admin, phone)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('INVITATION_OPEN')
    expect((await invite(await adminOf(2), phone)).status).toBe(200)
  })

  it('is limited per vendor and day, under parallel requests and for closed invitations', async () => {
    const limited = await startShop({ rateLimits: true })
    const admins = await Promise.all(
      Array.from({ length: 4 }, () => makeVisitor(limited, { role: 'vendor_admin', vendorId: 1 })),
    )
    await limited.query(
      `insert into staff_invitations (vendor_id, phone, name, role, invited_by, expires_at, state)
       select 1, '+9733900' || n, 'Ali', 'driver', 1, now(), 'declined' from generate_series(1000, $1::integer) n`,
      [999 + 20 - 4],
    )
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => invite(admins[n % 4] ?? limited.visitor(), newPhone())),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    const late = answers.find(({ status }) => status === 429)
    expect([late?.refusal.code, Number(late?.headers['retry-after']) > 0]).toEqual(['TOO_MANY_REQUESTS', true])
    await limited.query(`update staff_invitations set state = 'withdrawn'`)
    expect((await invite(admins[0] ?? limited.visitor(), newPhone())).status).toBe(429)
    await limited.query(`update staff_invitations set created_at = now() - interval '25 hours'`)
    expect((await invite(admins[0] ?? limited.visitor(), newPhone())).status).toBe(200)
  })

  it('resends after ten minutes and at most twice, and withdraws', async () => {
    const limited = await startShop({ rateLimits: true })
    const admin = await makeVisitor(limited, { role: 'vendor_admin', vendorId: 1 })
    const { invitation } = await invite(admin, newPhone())
    const again = () => admin.call(resendInvitation, idOf(invitation.id))
    expect((await again()).status).toBe(429)
    for (const status of [200, 200, 409]) {
      await limited.query(`update staff_invitations set sent_at = now() - interval '11 minutes'`)
      expect((await again()).status).toBe(status)
    }
    expect((await admin.call(withdrawInvitation, idOf(invitation.id))).body.state).toBe('withdrawn')
    expect((await admin.call(withdrawInvitation, idOf(invitation.id))).refusal.code).toBe('INVITATION_CLOSED')
    const other = await makeVisitor(limited, { role: 'vendor_admin', vendorId: 2 })
    expect((await other.call(withdrawInvitation, idOf(invitation.id))).status).toBe(404)
    expect((await other.call(listAdminInvitations)).body.items).toEqual([])
  })
})

describe('the invited person', () => {
  it('gets an SMS if WhatsApp does not deliver the invitation', async () => {
    // WhatsApp of the simulator fails for numbers with this end.
    const phone = '+97333129990'
    await invite(await adminOf(1), phone)
    const sent = () =>
      shop.query<{ channel: string; status: string; content: string }>(
        'select channel, status, content from whatsapp_messages where to_number = $1 order by id',
        [phone],
      )
    await until('the SMS', async () => (await sent())[1]?.status === 'delivered')
    expect(await sent()).toMatchObject([
      { channel: 'whatsapp', status: 'failed' },
      { channel: 'sms', content: expect.stringContaining('/invitations') },
    ])
  })

  it('signs in as a customer, sees the invitation, and gets the role only after accepting', async () => {
    const phone = newPhone()
    const admin = await adminOf(1)
    await shop.query(`update users set name = 'Sara' where id = $1`, [admin.id])
    const { invitation } = await invite(admin, phone)
    const person = await signInByCode(shop, phone)
    expect((await person.call(getMe)).body).toMatchObject({ role: 'customer', vendorId: null, permissions: [] })
    expect((await person.send('GET', '/api/admin/orders')).status).toBe(403)
    const { body } = await person.call(listInvitations)
    expect(body).toMatchObject([{ id: invitation.id, role: 'driver', invitedBy: 'Sara', obstacle: null }])
    expect((await person.call(acceptInvitation, { ...idOf(invitation.id), body: {} })).status).toBe(200)
    expect(await roleOf(phone)).toEqual({ role: 'driver', vendor_id: 1 })
    // Accepting ends the customer session.
    expect(person.cookies.has('sid')).toBe(false)
    expect((await person.call(getMe)).status).toBe(401)
    const staff = await signInByCode(shop, phone)
    expect((await staff.call(getMe)).body).toMatchObject({ role: 'driver', vendorId: 1, name: 'Ali' })
    expect((await admin.call(listAdminInvitations)).body.items[0]).toMatchObject({
      id: invitation.id,
      state: 'accepted',
    })
  })

  it('can erase the account, which deletes the invitation', async () => {
    const phone = newPhone()
    await invite(await adminOf(1), phone)
    const person = await signInByCode(shop, phone)
    expect((await person.call(exportAccount)).body['invitations']).toHaveLength(1)
    expect((await person.call(eraseAccount)).status).toBe(200)
    expect(await shop.query('select id from staff_invitations where phone = $1', [phone])).toEqual([])
  })

  it('can decline; the vendor sees only the state', async () => {
    const admin = await adminOf(1)
    const person = await makeVisitor(shop)
    const { invitation } = await invite(admin, person.phone)
    expect((await person.call(declineInvitation, idOf(invitation.id))).status).toBe(200)
    expect((await person.call(listInvitations)).body).toEqual([])
    expect((await person.call(acceptInvitation, { ...idOf(invitation.id), body: {} })).status).toBe(404)
    const { items } = (await admin.call(listAdminInvitations)).body
    expect(items.find(({ id }) => id === invitation.id)).toMatchObject({ state: 'declined', can: { resend: false } })
    const audit = await admin.send('GET', `/api/admin/audit?search=${encodeURIComponent(person.phone)}`)
    expect(JSON.stringify(audit.body)).not.toContain(person.phone)
    expect(await roleOf(person.phone)).toEqual({ role: 'customer', vendor_id: null })
  })

  it('of another vendor accepts only with `leave`, and a super admin cannot accept', async () => {
    const [first, second] = [await adminOf(1), await adminOf(2)]
    const worker = await makeVisitor(shop, { role: 'driver', vendorId: 2 })
    const { invitation } = await invite(first, worker.phone)
    const accept = (leave?: boolean) =>
      worker.call(acceptInvitation, { ...idOf(invitation.id), body: leave === undefined ? {} : { leave } })
    expect((await worker.call(listInvitations)).body).toMatchObject([{ obstacle: 'WORKS_ELSEWHERE' }])
    expect((await accept()).refusal.code).toBe('WORKS_ELSEWHERE')
    expect((await accept(true)).status).toBe(200)
    expect(await roleOf(worker.phone)).toEqual({ role: 'driver', vendor_id: 1 })
    expect((await second.send('GET', `/api/admin/users/${worker.id}`)).status).toBe(404)
    const boss = await makeVisitor(shop, { role: 'super_admin' })
    const toBoss = await invite(second, boss.phone)
    const body = { leave: true }
    expect((await boss.call(acceptInvitation, { ...idOf(toBoss.invitation.id), body })).refusal.code).toBe(
      'SUPER_ADMIN_STAYS',
    )
  })

  it.each(['withdrawn', 'expired', 'of an admin who left', 'of another person'] as const)(
    'cannot accept an invitation that is %s',
    async (what) => {
      const admin = await adminOf(1)
      const person = await makeVisitor(shop)
      const { invitation } = await invite(admin, what === 'of another person' ? newPhone() : person.phone)
      if (what === 'withdrawn') await admin.call(withdrawInvitation, idOf(invitation.id))
      if (what === 'expired')
        await shop.query('update staff_invitations set expires_at = now() where id = $1', [invitation.id])
      if (what === 'of an admin who left') await shop.query(`update users set vendor_id = 2 where id = $1`, [admin.id])
      expect((await person.call(listInvitations)).body).toEqual([])
      expect((await person.call(acceptInvitation, { ...idOf(invitation.id), body: {} })).status).toBe(404)
      expect((await person.call(declineInvitation, idOf(invitation.id))).status).toBe(404)
      expect(await roleOf(person.phone)).toEqual({ role: 'customer', vendor_id: null })
    },
  )

  it('accepts it or gets 404 when it is withdrawn at the same time, never both', async () => {
    for (let round = 0; round < repeated(10, 4); round += 1) {
      const admin = await adminOf(1)
      const person = await makeVisitor(shop)
      const { invitation } = await invite(admin, person.phone)
      const [accepted, withdrawn] = await Promise.all([
        person.call(acceptInvitation, { ...idOf(invitation.id), body: {} }),
        admin.call(withdrawInvitation, idOf(invitation.id)),
      ])
      expect([accepted.status, withdrawn.status].sort()).toEqual(accepted.status === 200 ? [200, 409] : [200, 404])
      expect(await roleOf(person.phone)).toMatchObject({ role: accepted.status === 200 ? 'driver' : 'customer' })
    }
  })

  it('cannot be impersonated to accept', async () => {
    const person = await makeUser(shop)
    const { invitation } = await invite(await adminOf(1), person.phone)
    const boss = await makeVisitor(shop, { role: 'super_admin' })
    await boss.call(startImpersonation, { params: { userId: String(person.id) }, body: { reason: 'to help' } })
    const { status, refusal } = await boss.call(acceptInvitation, { ...idOf(invitation.id), body: {} })
    expect([status, refusal.code]).toEqual([403, 'IMPERSONATING'])
  })

  it('is deleted with the invitation 30 days after it expired', async () => {
    const phone = newPhone()
    await invite(await adminOf(1), phone)
    await shop.query(`update staff_invitations set expires_at = now() - interval '29 days' where phone = $1`, [phone])
    const left = () => shop.query('select id from staff_invitations where phone = $1', [phone])
    await deleteOldRows(shop.app, ({ table }) => table === 'staff_invitations')
    expect(await left()).toHaveLength(1)
    await shop.query(`update staff_invitations set expires_at = now() - interval '31 days' where phone = $1`, [phone])
    await deleteOldRows(shop.app, ({ table }) => table === 'staff_invitations')
    expect(await left()).toEqual([])
  })
})
