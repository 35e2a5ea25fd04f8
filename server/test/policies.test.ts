import type { Actor, ActorUser } from '@qatra/contract/users/actor'
import { rolePermissions } from '@qatra/contract/users/permissions'
import { type Role, roles } from '@qatra/contract/users/roles'
import { describe, expect, it } from 'vitest'
import { mayDeclareHolidays, mayOpen } from '../calendar/policy.ts'
import { isInReach } from '../conversations/policy.ts'
import { scopeOf } from '../customers/policy.ts'
import { canManageCash, canViewDriver } from '../drivers/policy.ts'
import { AppError } from '../lib/errors.ts'
import { type Reach, reaches } from '../notifications/policy.ts'
import { isVendorStaffOf } from '../orders/policy.ts'
import { abilitiesOver, type PersonFacts } from '../users/policy.ts'
import { managesVendor, maySeeInactive, runsTheMarket, vendorInReach } from '../vendors/policy.ts'

// What the policies answer to each role at the own vendor 1 and at another one, written by hand. A customer with a vendor
// is a row that should not exist: it must give no right.
const userOf = (role: Role, vendorId: number | null, more: Partial<ActorUser> = {}): ActorUser => ({
  id: 7,
  phone: '+97336000007',
  name: null,
  role,
  vendorId,
  permissions: rolePermissions[role],
  language: 'en',
  isVerified: true,
  ...more,
})
const actorOf = (user: ActorUser | null): Actor => ({ user, guestSession: null, impersonator: null, lang: 'en' })
const actors = {
  visitor: actorOf(null),
  customer: actorOf(userOf('customer', null)),
  'customer with a vendor': actorOf(userOf('customer', 1)),
  sales: actorOf(userOf('vendor_sales', 1)),
  staff: actorOf(userOf('vendor_staff', 1)),
  admin: actorOf(userOf('vendor_admin', 1)),
  driver: actorOf(userOf('driver', 1)),
  'admin without a vendor': actorOf(userOf('vendor_admin', null)),
  super: actorOf(userOf('super_admin', null)),
}
/** The names of the actors that a policy allows. */
const allowedBy = (policy: (actor: Actor) => boolean) =>
  Object.entries(actors).flatMap(([name, actor]) => (policy(actor) ? [name] : []))
const answerOf = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

describe('a vendor', () => {
  it('is managed by its own staff and by super admins, never by a customer', () => {
    expect(allowedBy((actor) => managesVendor(actor, 1))).toEqual(['sales', 'staff', 'admin', 'driver', 'super'])
    expect(allowedBy((actor) => managesVendor(actor, 2))).toEqual(['super'])
    expect(allowedBy((actor) => isVendorStaffOf(actor, { vendorId: 1 }))).toEqual([
      'sales',
      'staff',
      'admin',
      'driver',
      'super',
    ])
    expect(allowedBy((actor) => isVendorStaffOf(actor, { vendorId: 2 }))).toEqual(['super'])
  })

  it('that is inactive is seen by its own people and by super admins; the market is run by super admins', () => {
    expect(allowedBy((actor) => maySeeInactive(actor, { id: 2 }))).toEqual(['super'])
    expect(allowedBy((actor) => maySeeInactive(actor, { id: 1 }))).toEqual([
      'sales',
      'staff',
      'admin',
      'driver',
      'super',
    ])
    expect(allowedBy(runsTheMarket)).toEqual(['super'])
  })

  it.each([
    [undefined, { 'customer with a vendor': 'FORBIDDEN', admin: 1, driver: 1, super: null }],
    [1, { customer: 'FORBIDDEN', 'customer with a vendor': 'FORBIDDEN', staff: 1, super: 1 }],
    [2, { sales: 'FORBIDDEN', admin: 'FORBIDDEN', 'admin without a vendor': 'FORBIDDEN', super: 2 }],
    [null, { visitor: 'FORBIDDEN', 'admin without a vendor': 'FORBIDDEN', admin: 1, super: null }],
  ])('in reach, asked for %s, is %j', (asked, wanted) => {
    const found = Object.keys(wanted).map((name) => [
      name,
      answerOf(() => vendorInReach(actors[name as keyof typeof actors], asked)),
    ])
    expect(Object.fromEntries(found)).toEqual(wanted)
  })

  it('scopes customers: staff to the own vendor, super admins to all or the asked one', () => {
    const { staff, super: boss } = actors
    expect([scopeOf(staff), scopeOf(staff, 0), scopeOf(staff, 1), scopeOf(boss), scopeOf(boss, 2)]).toEqual([
      1, 1, 1, 0, 2,
    ])
    expect(answerOf(() => scopeOf(staff, 2))).toBe('FORBIDDEN')
  })
})

describe('a driver', () => {
  const [own, colleague, elsewhere] = [7, 8, 9].map((id) => ({ id, vendorId: id === 9 ? 2 : 1 }))
  it('is seen by himself and by admins and staff of the vendor; cash is managed by them alone', () => {
    const seeing = (driver = { id: 0, vendorId: 0 }) => allowedBy((actor) => canViewDriver(actor, driver))
    expect(seeing(own)).toEqual(['staff', 'admin', 'driver', 'super'])
    expect(seeing(colleague)).toEqual(['staff', 'admin', 'super'])
    expect(seeing(elsewhere)).toEqual(['super'])
    expect(allowedBy((actor) => canManageCash(actor, 1))).toEqual(['staff', 'admin', 'super'])
    expect(allowedBy((actor) => canManageCash(actor, 2))).toEqual(['super'])
  })
})

describe('a closed day', () => {
  const now = new Date('2026-03-10T20:59:59Z') // 23:59:59 in Bahrain
  const open = (name: keyof typeof actors, day: string, vendorId: number | null, at = now) =>
    mayOpen({ actor: actors[name], now: at }, { day, vendorId })

  it('of the market is declared and removed by super admins, one of a vendor by its staff', () => {
    expect(allowedBy(mayDeclareHolidays)).toEqual(['super'])
    expect(open('admin', '2026-03-11', null)).toBe('FORBIDDEN')
    expect(open('super', '2026-03-11', null)).toBeNull()
    for (const name of ['staff', 'admin', 'super'] as const) expect(open(name, '2026-03-11', 1)).toBeNull()
    for (const name of ['sales', 'driver'] as const) expect(open(name, '2026-03-11', 1)).toBe('FORBIDDEN')
    for (const name of ['staff', 'admin', 'visitor'] as const) expect(open(name, '2026-03-11', 2)).toBe('NOT_FOUND')
  })

  it('is removed until its day is over in Bahrain', () => {
    expect(open('admin', '2026-03-10', 1)).toBeNull()
    expect(open('admin', '2026-03-10', 1, new Date(now.getTime() + 1_000))).toBe('DAY_PASSED')
  })
})

describe('a person', () => {
  const person = (role: Role, vendorId: number | null, more: Partial<PersonFacts> = {}): PersonFacts => ({
    id: 20,
    role,
    vendorId,
    isActive: true,
    ...more,
  })
  const may = (name: keyof typeof actors, who: PersonFacts) => {
    const { roles: _, ...abilities } = abilitiesOver(actors[name], who)
    return Object.entries(abilities).flatMap(([ability, holds]) => (holds ? [ability] : []))
  }

  it('is changed by a super admin in everything, and impersonated unless a super admin or deactivated', () => {
    const all = ['edit', 'changePermissions', 'switchOff', 'changeRole']
    for (const role of roles)
      expect([role, may('super', person(role, null))]).toEqual([
        role,
        role === 'super_admin' ? all : [...all, 'impersonate'],
      ])
    expect(may('super', person('customer', null, { isActive: false }))).toEqual(all)
    expect(may('super', person('super_admin', null, { id: 7 }))).toEqual(['edit', 'changePermissions'])
  })

  it('is changed by an admin of the same vendor, without permissions and impersonation', () => {
    expect(may('admin', person('driver', 1))).toEqual(['edit', 'switchOff', 'changeRole'])
    expect(may('admin', person('driver', 2))).toEqual([])
    expect(may('admin', person('customer', null))).toEqual([])
    expect(may('admin', person('super_admin', null))).toEqual([])
    expect(may('admin', person('vendor_admin', 1, { id: 7 }))).not.toContain('changeRole')
    for (const name of ['staff', 'sales', 'driver', 'customer', 'visitor', 'admin without a vendor'] as const)
      expect([name, may(name, person('driver', 1)), may(name, person('driver', null))]).toEqual([name, [], []])
  })
})

describe('a conversation', () => {
  it('is read with the permission: all of them by super admins, by staff those of the vendor and of nobody', () => {
    const reading = ['whatsapp.read'] as const
    const reached = (role: Role, vendorId: number | null, permissions: readonly string[] = reading) =>
      [[], [1], [2], [1, 2]].map((vendors) => isInReach({ role, vendorId, permissions }, vendors))
    expect(reached('super_admin', null)).toEqual([true, true, true, true])
    expect(reached('vendor_staff', 1)).toEqual([true, true, false, true])
    expect(reached('vendor_staff', 1, [])).toEqual([false, false, false, false])
    expect(reached('vendor_admin', null)).toEqual([false, false, false, false])
    expect(isInReach(null, [])).toBe(false)
  })
})

describe('a notification of an order', () => {
  const event = (more: Partial<Reach> = {}): Reach => ({
    kind: 'order-cancelled',
    vendorId: 1,
    driverId: null,
    formerDriverId: null,
    agentId: null,
    contactId: null,
    vendorIds: [],
    ...more,
  })
  const recipientsOf = (more?: Partial<Reach>) => allowedBy(({ user }) => user !== null && reaches(user, event(more)))

  it('reaches the office of its vendor, the driver and the former one, and the agent who placed it', () => {
    expect(recipientsOf()).toEqual(['staff', 'admin', 'super'])
    expect(recipientsOf({ vendorId: 2, driverId: 7, agentId: 7 })).toEqual(['super'])
    expect(recipientsOf({ driverId: 7 })).toContain('driver')
    expect(recipientsOf({ formerDriverId: 7 })).toContain('driver')
    expect(recipientsOf({ driverId: 8, formerDriverId: 9, agentId: 8 })).toEqual(['staff', 'admin', 'super'])
    expect(recipientsOf({ agentId: 7 })).toContain('sales')
    expect(recipientsOf({ vendorId: null })).toEqual(['super'])
  })
})
