import { cleanup, fireEvent, screen } from '@testing-library/react'
import { type FormEvent, useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Button } from './Button.tsx'
import { Chip, ChipRow } from './Chip.tsx'
import { Dialog } from './Dialog.tsx'
import { TextField } from './Field.tsx'
import { Menu } from './Menu.tsx'
import { Stepper } from './Stepper.tsx'
import { dismissToast, Toasts, toast } from './Toast.tsx'
import { renderIn } from './test-page.tsx'

beforeAll(() => {
  // jsdom knows the element but not how to open it.
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.setAttribute('open', '')
  }
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.removeAttribute('open')
  }
})
beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  dismissToast()
  vi.useRealTimers()
})

function Counter({ start, max = 100 }: { start: number; max?: number }) {
  const [quantity, setQuantity] = useState(start)
  return (
    <>
      <Stepper name="مياه هيرات" quantity={quantity} max={max} onChange={setQuantity} />
      <Toasts />
    </>
  )
}
const count = () => screen.getByRole('group').querySelector('output')?.textContent

describe('the stepper', () => {
  it('adds from 0 and keeps the focus on the same button', async () => {
    await renderIn('ar', <Counter start={0} />)
    const add = screen.getByRole('button', { name: 'أضف مياه هيرات إلى السلة' })
    add.focus()
    fireEvent.click(add)
    expect(count()).toBe('1')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'زيادة الكمية' }))
  })

  it('shows a bin at 1 and removes', async () => {
    await renderIn('en', <Counter start={2} />)
    fireEvent.click(screen.getByRole('button', { name: 'One fewer' }))
    fireEvent.click(screen.getByRole('button', { name: 'Remove from the cart' }))
    expect(count()).toBe('0')
    fireEvent.click(screen.getByRole('button', { name: 'One fewer' }))
    expect(count()).toBe('0')
  })

  it('stops at the limit and says so', async () => {
    await renderIn('en', <Counter start={99} />)
    fireEvent.keyDown(screen.getByRole('group'), { key: 'ArrowUp' })
    expect(count()).toBe('100')
    fireEvent.click(screen.getByRole('button', { name: 'One more' }))
    expect(count()).toBe('100')
    expect(screen.getByRole('alert').textContent).toContain('At most 100')
  })
})

describe('a typed quantity', () => {
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Quantity' })
  async function type(text: string, key = 'Enter') {
    field().focus()
    fireEvent.change(field(), { target: { value: text } })
    fireEvent.keyDown(field(), { key })
  }

  it.each([
    ['24', '24'],
    ['٢٤', '24'],
    ['100', '100'],
  ])('of %s is taken over with Enter', async (text, expected) => {
    await renderIn('en', <Counter start={2} />)
    await type(text)
    expect([count(), field().value]).toEqual([expected, expected])
  })

  it('is taken over when the field is left', async () => {
    await renderIn('en', <Counter start={2} />)
    field().focus()
    fireEvent.change(field(), { target: { value: '7' } })
    expect(count()).toBe('2')
    fireEvent.blur(field())
    expect(count()).toBe('7')
  })

  it.each(['0', '٠'])('of %s removes', async (text) => {
    await renderIn('en', <Counter start={2} />)
    await type(text)
    expect(count()).toBe('0')
  })

  it.each(['101', '-3', '1.5', 'many'])('of %s changes nothing and names the range', async (text) => {
    await renderIn('en', <Counter start={2} />)
    await type(text)
    expect([count(), field().value]).toEqual(['2', '2'])
    expect(screen.getByRole('alert').textContent).toContain('1 to 100')
  })

  it('is dropped without a message if it is empty, or with Escape', async () => {
    await renderIn('en', <Counter start={2} />)
    await type('')
    await type('50', 'Escape')
    fireEvent.blur(field())
    expect([count(), field().value]).toEqual(['2', '2'])
    expect(screen.queryByRole('alert')?.textContent ?? '').toBe('')
  })

  it('is not possible at 0', async () => {
    await renderIn('en', <Counter start={0} />)
    expect(screen.queryByRole('textbox')).toBeNull()
  })
})

describe('a button that is off', () => {
  it('is focusable, announces its reason, and does nothing', async () => {
    const onClick = vi.fn()
    await renderIn(
      'en',
      <Button reason="2.050 more reaches the minimum" onClick={onClick}>
        Checkout
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Checkout', description: '2.050 more reaches the minimum' })
    fireEvent.click(button)
    expect(onClick).not.toHaveBeenCalled()
    expect(button.hasAttribute('disabled')).toBe(false)
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })

  it('ignores a second click and sends no form while busy', async () => {
    const onSubmit = vi.fn((event: FormEvent) => event.preventDefault())
    await renderIn(
      'en',
      <form onSubmit={onSubmit}>
        <Button type="submit" busy>
          Place
        </Button>
      </form>,
    )
    fireEvent.click(screen.getByRole('button'))
    expect(onSubmit).not.toHaveBeenCalled()
  })
})

describe('a field', () => {
  it('ties label, hint and error to its input', async () => {
    await renderIn('en', <TextField label="Phone" hint="We send a code" error="One digit is missing" ltr />)
    const input = screen.getByRole('textbox', { name: 'Phone', description: 'One digit is missing We send a code' })
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(input.getAttribute('dir')).toBe('ltr')
    expect(screen.getByRole('alert').textContent).toBe('One digit is missing')
  })
})

describe('a menu', () => {
  const choose = vi.fn()
  const menu = () =>
    renderIn(
      'ar',
      <Menu
        label="اللغة"
        button="العربية"
        choices={[
          { key: 'ar', label: 'العربية', chosen: true, onChoose: choose },
          { key: 'en', label: 'English', chosen: false, onChoose: () => choose('en') },
        ]}
      />,
    )

  it('opens on the chosen one, walks with the arrows and closes with the focus back', async () => {
    await menu()
    const button = screen.getByRole('button', { name: 'العربية' })
    fireEvent.keyDown(button, { key: 'ArrowDown' })
    expect(document.activeElement?.textContent).toBe('العربية')
    expect(document.activeElement?.getAttribute('aria-checked')).toBe('true')
    const list = screen.getByRole('menu')
    fireEvent.keyDown(list, { key: 'ArrowDown' })
    expect(document.activeElement?.textContent).toBe('English')
    fireEvent.keyDown(list, { key: 'ArrowDown' })
    expect(document.activeElement?.textContent).toBe('العربية')
    fireEvent.keyDown(list, { key: 'End' })
    fireEvent.click(document.activeElement ?? list)
    expect(choose).toHaveBeenCalledWith('en')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(button)
  })

  it('closes with Escape and on a press elsewhere', async () => {
    await menu()
    const button = screen.getByRole('button')
    fireEvent.click(button)
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' })
    expect(screen.queryByRole('menu')).toBeNull()
    fireEvent.click(button)
    fireEvent.pointerDown(document.body)
    expect(screen.queryByRole('menu')).toBeNull()
  })
})

describe('a dialog', () => {
  it('focuses the safe choice, which Escape selects too', async () => {
    const [keep, start] = [vi.fn(), vi.fn()]
    await renderIn(
      'en',
      <Dialog
        open
        title="Start?"
        safe={{ label: 'Keep', onChoose: keep }}
        action={{ label: 'Start', onChoose: start }}
      />,
    )
    expect(document.activeElement?.textContent).toBe('Keep')
    fireEvent(screen.getByRole('dialog', { name: 'Start?' }), new Event('cancel', { cancelable: true }))
    expect(keep).toHaveBeenCalledOnce()
    fireEvent.click(screen.getByRole('button', { name: 'Start' }))
    expect(start).toHaveBeenCalledOnce()
  })
})

describe('chips', () => {
  it.each([
    ['ar', 'ArrowLeft'],
    ['en', 'ArrowRight'],
  ] as const)('in %s go on with %s', async (lang, key) => {
    await renderIn(
      lang,
      <div dir={lang === 'ar' ? 'rtl' : 'ltr'} style={{ direction: lang === 'ar' ? 'rtl' : 'ltr' }}>
        <ChipRow label="sizes">
          <Chip chosen>1</Chip>
          <Chip chosen={false}>2</Chip>
        </ChipRow>
      </div>,
    )
    screen.getByRole('button', { name: '1' }).focus()
    fireEvent.keyDown(screen.getByRole('button', { name: '1' }), { key })
    expect(document.activeElement?.textContent).toBe('2')
  })
})

describe('toasts', () => {
  it('show one at a time, offer undo, and disappear after their duration', async () => {
    const undo = vi.fn()
    const { rerender } = await renderIn('en', <Toasts />)
    toast({ title: 'first' })
    toast({ title: 'second', action: { label: 'Undo', onClick: undo }, duration: 3000 })
    rerender(<Toasts />)
    expect(screen.getByRole('status').textContent).toBe('secondUndo')
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(undo).toHaveBeenCalledOnce()
    toast({ title: 'third', tone: 'error', duration: 3000 })
    rerender(<Toasts />)
    expect(screen.getByRole('alert').textContent).toBe('third')
    vi.advanceTimersByTime(2999)
    rerender(<Toasts />)
    expect(screen.getByRole('alert').textContent).toBe('third')
    vi.advanceTimersByTime(1)
    rerender(<Toasts />)
    expect(screen.getByRole('alert').textContent).toBe('')
  })

  it.each([
    [
      'hovered',
      (undo: HTMLElement) => fireEvent.pointerEnter(undo),
      (undo: HTMLElement) => fireEvent.pointerLeave(undo),
    ],
    ['focused', (undo: HTMLElement) => undo.focus(), (undo: HTMLElement) => undo.blur()],
  ])('stay while %s, and for their duration after that', async (_, begin, end) => {
    const { rerender } = await renderIn('en', <Toasts />)
    const textAfter = (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds)
      rerender(<Toasts />)
      return screen.getByRole('status').textContent
    }
    toast({ title: 'kept', action: { label: 'Undo', onClick: vi.fn() }, duration: 3000 })
    expect(textAfter(2999)).toBe('keptUndo')
    begin(screen.getByRole('button', { name: 'Undo' }))
    expect(textAfter(60_000)).toBe('keptUndo')
    end(screen.getByRole('button', { name: 'Undo' }))
    expect(textAfter(2999)).toBe('keptUndo')
    expect(textAfter(1)).toBe('')
  })
})
