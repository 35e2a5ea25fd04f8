import { addToCart, removeCartItem, updateCartItem } from '@qatra/contract/cart/cart'
import { listProducts } from '@qatra/contract/products/products'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cartOf, openShop, stubScreen, visit } from '../checkout/test-shop.tsx'
import { stopTranslating, translate } from './test-translator.ts'
import { keepTextNodes } from './translated-text.ts'

beforeAll(keepTextNodes)
afterEach(() => {
  stopTranslating()
  cleanup()
})

/** One step after the other on a translated page; the text after each. */
async function texts(how: Parameters<typeof translate>[0], steps: readonly ReactNode[]) {
  let show: (step: ReactNode) => void = () => undefined
  function Steps() {
    const [step, setStep] = useState<ReactNode>(steps[0])
    show = setStep
    return <main>{step}</main>
  }
  render(<Steps />)
  translate(how)
  const found: (string | null)[] = []
  for (const step of steps) {
    await act(async () => show(step))
    // The observers of page and translator run after the change.
    await act(async () => {})
    found.push(screen.getByRole('main').textContent)
  }
  return found
}

describe.each(['replace', 'move'] as const)('on a page whose texts a translator wraps (%s)', (how) => {
  it.each<[name: string, steps: ReactNode[], expected: string[]]>([
    [
      'a text that an element replaces',
      [<p key="p">a{'one'}</p>, <p key="p">a{<b>two</b>}</p>, <p key="p">a{'three'}</p>],
      ['aone', 'atwo', 'athree'],
    ],
    [
      'an element inserted before a text',
      [<p key="p">{false}last</p>, <p key="p">{<i>first </i>}last</p>, <p key="p">{false}last</p>],
      ['last', 'first last', 'last'],
    ],
    [
      'a text that changes beside an element',
      [
        <p key="p">
          <i /> {'send'}
        </p>,
        <p key="p">
          <i /> {'sending'}
        </p>,
      ],
      [' send', ' sending'],
    ],
    ['a text that goes and returns', [<p key="p">a{' · '}b</p>, <p key="p">a{null}b</p>], ['a · b', 'ab']],
    ['a text alone in its element', [<p key="p">one</p>, <p key="p">two</p>], ['one', 'two']],
    ['a text of its own', ['one', null, <b key="b">two</b>, 'three'], ['one', '', 'two', 'three']],
  ])('%s', async (_, steps, expected) => {
    expect(await texts(how, steps)).toEqual(expected)
  })
})

it('the shop is used on a translated page: search, quantities, cart, checkout', async () => {
  const [line] = cartOf(1.5).items
  if (!line) throw new Error('The cart has a line')
  const { productId: id, isAvailable, ...product } = line
  const shop = openShop()
  shop.on(listProducts, () => [
    { ...product, id, bottle: null, description: null, descriptionAr: null, isActive: isAvailable },
  ])
  let version = 3
  const served = (quantity: number) => {
    version += 1
    const subtotal = quantity * line.price
    const items = quantity > 0 ? [{ ...line, quantity }] : []
    return { ...cartOf(1.5, version), items, vendorId: quantity > 0 ? 1 : null, subtotal, total: subtotal + 0.5 }
  }
  const asked = (body: unknown) => (body as { quantity: number }).quantity // sent by the page
  shop.on(addToCart, ({ body }) => served(asked(body)))
  shop.on(updateCartItem, ({ body }) => served(asked(body)))
  shop.on(removeCartItem, () => served(0))
  stubScreen()
  await visit('/?q=')
  translate('replace')
  const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  const press = async (name: RegExp | string, at = 0) => {
    fireEvent.click(screen.getAllByRole('button', { name })[at] ?? document.body)
    await settle()
  }
  const card = () => within(screen.getByRole('article'))
  await press('One more')
  await press('One fewer')
  for (let left = 3; left > 0; left -= 1) await press('One fewer')
  fireEvent.click(card().getByRole('button', { name: 'Remove from the cart' }))
  await settle()
  fireEvent.click(card().getByRole('button', { name: /^Add / }))
  await settle()
  for (const quantity of [2, 3, 4]) {
    fireEvent.click(card().getByRole('button', { name: 'One more' }))
    await settle()
    expect(card().getByRole<HTMLInputElement>('textbox').value).toBe(String(quantity))
  }
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'zzz' } })
  await screen.findByText('Nothing matches your search')
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: '' } })
  await screen.findByRole('article')
  await press(/^Show the cart/)
  await press('Checkout')
  expect(await screen.findByRole('button', { name: /Place order/ })).toBeTruthy()
  expect(document.body.textContent).not.toContain('Something went wrong')
})

it('a text that was taken out before the page followed the translator is removed without an error', () => {
  const [parent, text] = [document.createElement('p'), document.createTextNode('text')]
  expect(parent.removeChild(text)).toBe(text)
  expect(parent.insertBefore(document.createElement('b'), text).parentNode).toBe(parent)
  expect(() => parent.removeChild(document.createElement('i'))).toThrow()
})
