import { beforeEach, expect, it, vi } from 'vitest'
import { leaveLayers, openLayer } from './back-closes.ts'

const closed: string[] = []
const open = (name: string) => openLayer(() => closed.push(name))
const path = () => location.pathname
/** The history traverses asynchronously, and passes over entries. @param expected layers closed so far, and the page */
async function back(...expected: [string[], string]) {
  history.back()
  await vi.waitFor(() => expect([closed, path()]).toEqual(expected))
}
let page = 0
/** A page with an entry of its own, as the router makes them. */
function visit(address: string) {
  page += 1
  history.pushState({ __TSR_key: `page ${page}` }, '', address)
}

beforeEach(() => {
  closed.length = 0
  vi.restoreAllMocks()
  visit('/before')
  visit('/shop')
})

it('Back closes the layer and stays on the page; the next Back leaves it', async () => {
  open('cart')
  await back(['cart'], '/shop')
  await back(['cart'], '/before')
})

it('Back closes the innermost of two layers first', async () => {
  open('cart')
  open('dialog')
  await back(['dialog'], '/shop')
  await back(['dialog', 'cart'], '/shop')
})

it('after a layer was closed otherwise, one Back leaves the page', async () => {
  open('cart')()
  open('sheet')()
  await back([], '/before')
})

it('after a navigation from an open layer, Back returns to the page and then leaves it', async () => {
  const close = open('cart')
  close()
  visit('/checkout')
  await back([], '/shop')
  await back([], '/before')
})

it('a page that is replaced leaves no entry of its layers', async () => {
  const length = history.length
  const close = open('code')
  close()
  await leaveLayers()
  history.replaceState({ __TSR_key: 'orders' }, '', '/orders')
  await back([], '/before')
  expect(history.length).toBe(length + 1)
})
