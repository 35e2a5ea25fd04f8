import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { listMyOrders } from '@qatra/contract/orders/orders'
import type { Actor, ActorUser } from '@qatra/contract/users/actor'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { rolePermissions } from '@qatra/contract/users/permissions'
import type { Role } from '@qatra/contract/users/roles'
import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { AppError } from '../lib/errors.ts'
import { startShop } from '../test/app.ts'
import { addressWith, keyOf } from '../test/ask.ts'
import { endpoints } from '../test/endpoints.ts'
import { makeUser, makeVisitor } from '../test/fixtures/make.ts'
import type { Visitor } from '../test/visitor.ts'
import { authorize, authorizeRequest } from './authorize.ts'
import { callerFor } from './call-in-process.ts'

const userOf = (role: Role) => ({ role, permissions: rolePermissions[role] }) as ActorUser // all that is read here
const visitor: Actor = { user: null, guestSession: null, impersonator: null, lang: 'en' }
const as = (role: Role): Actor => ({ ...visitor, user: userOf(role) })
const impersonated = (role: Role): Actor => ({ ...as(role), impersonator: { id: 1, name: null, phone: '' } })

function codeOf(work: () => unknown) {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof AppError ? error.code : error
  }
}

describe('authorize', () => {
  const open = { allow: 'anyone' }
  const desk = { allow: 'staff', permissions: ['orders.read', 'orders.export'] }
  it.each([
    ['a visitor where everybody is allowed', open, visitor, null],
    ['a visitor without a session', desk, visitor, 'SIGNED_OUT'],
    ['a visitor, whatever deniedAs says', { ...desk, deniedAs: 'NOT_FOUND' }, visitor, 'SIGNED_OUT'],
    ['a role that is not allowed', desk, as('customer'), 'FORBIDDEN'],
    ['a role without one of the permissions', desk, as('driver'), 'FORBIDDEN'],
    ['a refused role as deniedAs says', { ...desk, deniedAs: 'NOT_FOUND' }, as('driver'), 'NOT_FOUND'],
    ['a role with all permissions', desk, as('vendor_staff'), null],
    ['an impersonated person', desk, impersonated('vendor_staff'), null],
    [
      'an impersonated person before the role',
      { ...desk, forbidWhileImpersonating: true },
      impersonated('driver'),
      'IMPERSONATING',
    ],
  ])('judges %s', (_, endpoint, actor, code) => {
    expect(codeOf(() => authorize(endpoint as AnyEndpoint, actor))).toBe(code)
  })
})

describe('authorizeRequest', () => {
  const asked = (page: string) => ({ params: {}, query: { page }, body: undefined })

  it('refuses an unauthorized caller before it judges the input', () => {
    expect(codeOf(() => authorizeRequest(listMyOrders, visitor, asked('x')))).toBe('SIGNED_OUT')
    expect(codeOf(() => authorizeRequest(listMyOrders, as('customer'), asked('x')))).toBe('INVALID_QUERY')
  })

  it('limits impersonated sessions to the first pages of a list', () => {
    const last = '3'
    const next = '4'
    expect(authorizeRequest(listMyOrders, impersonated('customer'), asked(last)).query?.page).toBe(3)
    expect(codeOf(() => authorizeRequest(listMyOrders, impersonated('customer'), asked(next)))).toBe(
      'IMPERSONATING_FURTHER',
    )
    expect(authorizeRequest(listMyOrders, as('customer'), asked(next)).query?.page).toBe(4)
  })
})

describe('a call in process', async () => {
  const shop = await startShop({ role: 'web' })
  // Files for everybody are not called in process.
  const reading = endpoints.filter(
    ({ method, allow, produces }) => method === 'GET' && !(produces && allow === 'anyone'),
  )
  const admin = await makeVisitor(shop, { role: 'super_admin' })
  await admin.call(startImpersonation, {
    params: { userId: String((await makeUser(shop, { role: 'vendor_staff', vendorId: 1 })).id) },
    body: { reason: 'Customer cannot find the order' },
  })
  const callers: [string, Visitor][] = [
    ['a visitor', shop.visitor()],
    ['a customer', await makeVisitor(shop)],
    ['a driver', await makeVisitor(shop, { role: 'driver', vendorId: 1 })],
    ['a super admin', await makeVisitor(shop, { role: 'super_admin' })],
    ['an impersonated person', admin],
  ]
  const refusals = ['SIGNED_OUT', 'FORBIDDEN', 'NOT_FOUND', 'IMPERSONATING', 'IMPERSONATING_FURTHER']

  it.each(callers)(
    'by %s is refused like the same request over HTTP, for every reading endpoint',
    async (_, caller) => {
      const headers = { host: 'localhost', cookie: [...caller.cookies].map((pair) => pair.join('=')).join('; ') }
      const { call } = await callerFor(shop.app, { headers, ip: '127.0.0.1' } as FastifyRequest, 'ar')
      let compared = 0
      for (const endpoint of reading) {
        const params = Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '0']))
        const sent = { params, ...(endpoint.query ? { query: { page: '4' } } : {}) }
        const { refusal, status } = await caller.send('GET', addressWith(endpoint, sent))
        if (status === 200 || !refusals.includes(refusal.code)) continue
        compared += 1
        const code = await call({ method: 'GET', path: endpoint.path }, sent).then(
          () => null,
          (error: unknown) => (error instanceof AppError ? error.code : error),
        )
        expect([keyOf(endpoint), code]).toEqual([keyOf(endpoint), refusal.code])
      }
      expect(compared).toBeGreaterThan(10)
    },
  )
})
