import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepFocus } from './focus-keeper.ts'

let stop: () => void
beforeEach(() => {
  stop = keepFocus()
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
})

function page(html: string) {
  document.body.innerHTML = `<main id="main" tabindex="-1">${html}</main>`
}
const byId = (id: string) => document.getElementById(id) as HTMLElement
const focused = () => document.activeElement?.id

describe('the focus after its control disappeared', () => {
  it('moves to the surrounding section', async () => {
    page('<section id="order"><div><button id="act">Prepare</button></div></section>')
    byId('act').focus()
    byId('act').remove()
    await vi.waitFor(() => expect(focused()).toBe('order'))
    // It is not in the Tab order.
    byId('main').focus()
    expect(byId('order').hasAttribute('tabindex')).toBe(false)
  })

  it('moves to the surrounding section, also if the keeper starts after the control had the focus', async () => {
    stop()
    page('<section id="order"><div><button id="act">Prepare</button></div></section>')
    byId('act').focus()
    stop = keepFocus()
    byId('act').remove()
    await vi.waitFor(() => expect(focused()).toBe('order'))
  })

  it('moves to the row at the same position, and to the list after the last row', async () => {
    page(
      '<section id="jobs"><ul><li id="a"><button id="x">Discard</button></li><li id="b"></li><li id="c"></li></ul></section>',
    )
    byId('x').focus()
    byId('a').remove()
    await vi.waitFor(() => expect(focused()).toBe('b'))
    byId('c').remove()
    byId('b').remove()
    await vi.waitFor(() => expect(focused()).toBe('jobs'))
  })

  it('returns to the control that opened the dialog or panel, or to its section', async () => {
    page(
      '<section id="list"><button id="open">Open</button></section><aside id="panel"><button id="close">Close</button></aside>',
    )
    byId('open').focus()
    byId('close').focus()
    byId('panel').remove()
    await vi.waitFor(() => expect(focused()).toBe('open'))
    document.body.insertAdjacentHTML('beforeend', '<div id="toast" data-layer><button id="undo">Undo</button></div>')
    byId('undo').focus()
    byId('open').remove()
    byId('toast').remove()
    await vi.waitFor(() => expect(focused()).toBe('list'))
  })

  it('moves to the selector of data-focus-after', async () => {
    page(
      '<p id="row" tabindex="-1"></p><section id="bar" data-focus-after="#row"><button id="clear">Clear</button></section>',
    )
    byId('clear').focus()
    byId('bar').remove()
    await vi.waitFor(() => expect(focused()).toBe('row'))
  })

  it('moves to main if nothing else is left', async () => {
    page('<div><button id="save">Save</button></div>')
    const save = byId('save') as HTMLButtonElement
    save.focus()
    save.parentElement?.remove()
    await vi.waitFor(() => expect(focused()).toBe('main'))
  })

  it('is not moved after a click on empty space', async () => {
    page('<button id="save">Save</button>')
    byId('save').focus()
    byId('save').blur()
    await new Promise((done) => setTimeout(done, 10))
    byId('save').remove()
    await new Promise((done) => setTimeout(done, 10))
    expect(document.activeElement).toBe(document.body)
  })
})
