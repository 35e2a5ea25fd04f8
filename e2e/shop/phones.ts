import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import type { User } from '@qatra/contract/users/auth'
import { folder } from '../settings.ts'
import { ready } from './ready.ts'

const worker = Number(process.env['TEST_WORKER_INDEX'] ?? 0) % 100
const padded = (number: number, length: number) => String(number).padStart(length, '0')
let count = 0
let special = 0

/** A mobile number unique in this run. Lists are searched by last digits, so those differ between workers too. */
export function newPhone(): string {
  count += 1
  const phone = `+97333${padded(((worker * 1_000 + count) * 617_431) % 1_000_000, 6)}`
  return /999\d$/.test(phone) ? newPhone() : phone
}

/** A mobile number unique in this run whose last four digits the simulator gives a meaning. */
export function specialPhone(ending: '9990' | '9991' | '9992'): string {
  special += 1
  return `+9733${padded(worker, 2)}${special % 10}${ending}`
}

/** Mobile numbers of this worker, one for each `at` below 9990. */
export const numberedPhone = (at: number) => `+97339${padded(worker, 2)}${padded(at, 4)}`

async function codesTo(request: APIRequestContext, phone: string): Promise<string[]> {
  const answer = await request.get(`/api/simulator/messages?phone=${encodeURIComponent(phone)}`)
  const messages: { body: string; direction: string }[] = await answer.json()
  return (
    messages
      .filter(({ direction }) => direction === 'outgoing')
      // Addresses and ids in other messages may have as many digits.
      .flatMap(({ body }) => /^\W?(\d{4}(?:\d{2})?)(?!\d)/.exec(body)?.[1] ?? [])
  )
}

export const countCodes = async (request: APIRequestContext, phone: string) => (await codesTo(request, phone)).length

/** The newest code sent to a phone, once there are more than `before`. */
export async function codeFor(request: APIRequestContext, phone: string, before = 0): Promise<string> {
  let found: string[] = []
  await expect
    .poll(
      async () => {
        found = await codesTo(request, phone)
        return found.length
      },
      { message: `a code for ${phone}` },
    )
    .toBeGreaterThan(before)
  return found[0] ?? ''
}

/** Signs a client without a page in by API calls. */
export const signInRequest = (request: APIRequestContext, phone: string, language = 'ar') =>
  alone(phone, async (): Promise<User> => {
    const before = await countCodes(request, phone)
    const asked = await request.post('/api/auth/verify/phone', { data: { phone, language } })
    expect(asked.status(), await asked.text()).toBe(200)
    const code = await codeFor(request, phone, before)
    const verified = await request.post('/api/auth/verify/otp', { data: { phone, code } })
    expect(verified.status(), await verified.text()).toBe(200)
    const { user }: { user: User } = await verified.json()
    return user
  })

/** Lock per phone: concurrent code requests would invalidate each other. */
export async function alone<T>(phone: string, work: () => Promise<T>): Promise<T> {
  const lock = join(folder, `signing-in${phone}`)
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch {
      await sleep(50)
    }
  }
  try {
    return await work()
  } finally {
    rmdirSync(lock)
  }
}

/** Fills the open sign-in form. `before` is the number of codes that the phone had before. */
export async function fillSignIn(page: Page, phone: string, before: number) {
  await ready(page)
  await page.locator('input[type=tel]').fill(phone)
  await page.keyboard.press('Enter')
  const field = page.locator('input[name=code]')
  await expect(field).toBeVisible()
  await field.fill(await codeFor(page.request, phone, before))
  await page.keyboard.press('Enter')
}

/** Removes the session. Leaves the page first, so that no request of it fails and goes to the sign-in page by itself. */
export async function removeSession(page: Page) {
  await page.goto('about:blank')
  await page.context().clearCookies({ name: 'sid' })
}

/** Whether the browser has the session of a person; visitors have one for their cart. */
const isSignedIn = async (page: Page) =>
  (await page.context().cookies()).some(({ name, value }) => name === 'sid' && value.startsWith('u.'))

/**
 * Signs in to the admin area through the form, from a cold start: opens the admin page signed out, is redirected to
 * the sign-in page, enters the code from the simulator, and waits for the admin page. Works in either language.
 */
export const signInToAdmin = (page: Page, phone: string, path = '/admin') =>
  alone(phone, async () => {
    const before = await countCodes(page.request, phone)
    if (await isSignedIn(page)) await removeSession(page)
    await page.goto(path)
    await page.waitForURL(({ pathname }) => pathname === '/login')
    await fillSignIn(page, phone, before)
    await page.waitForURL(({ pathname }) => pathname.startsWith('/admin'))
    await expect(page.locator('.admin #main:not([aria-busy])')).toBeVisible()
  })

/**
 * Signs the browser of `page` in by calls, to prepare a journey of the shop. Refuses staff: every journey of the admin area
 * begins with `signInToAdmin`.
 */
export async function signInCustomerByCalls(page: Page, phone: string, language = 'ar') {
  const { role } = await signInRequest(page.request, phone, language)
  expect(role, 'the role of who signs in by calls').toBe('customer')
}
