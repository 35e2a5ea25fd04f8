import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useKeptFocus } from '../focus-keeper.ts'
import { AdminPageLayout } from './AdminPageLayout.tsx'
import { Avatar, distinctInitials, initialsOf } from './Avatar.tsx'
import { CopyButton } from './CopyButton.tsx'
import { DescriptionList } from './DescriptionList.tsx'
import { Popover } from './Popover.tsx'
import { Segmented } from './Segmented.tsx'
import { SidePanel } from './SidePanel.tsx'
import { Stat } from './Stat.tsx'
import { Timeline } from './Timeline.tsx'
import { renderInAdmin, setUpScreen } from './test-admin.tsx'

function WithPanel({ onClose }: { onClose(): void }) {
  useKeptFocus()
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    onClose()
  }
  return (
    <AdminPageLayout
      title="Orders"
      panel={
        open ? (
          <SidePanel label="One order" title="K7QM" onClose={close}>
            <input aria-label="Note" />
            <Popover label="Drivers" trigger={<button type="button">Driver</button>}>
              {() => <button type="button">Bilal</button>}
            </Popover>
          </SidePanel>
        ) : null
      }
    >
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
    </AdminPageLayout>
  )
}

/** Focuses the button first, as a real click does. */
function openPanel() {
  const button = screen.getByRole('button', { name: 'Open' })
  button.focus()
  fireEvent.click(button)
  return button
}
const escape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })

beforeEach(() => setUpScreen())
afterEach(cleanup)

describe('a side panel', () => {
  it('takes the focus, closes on Escape and returns it', async () => {
    const onClose = vi.fn()
    await renderInAdmin(() => <WithPanel onClose={onClose} />)
    const button = openPanel()
    expect(screen.getByRole('complementary', { name: 'One order' })).toBeTruthy()
    expect(document.activeElement?.textContent).toBe('K7QM')
    expect(document.getElementById('main')?.inert).toBeFalsy()
    escape()
    expect(onClose).toHaveBeenCalledOnce()
    await vi.waitFor(() => expect(document.activeElement).toBe(button))
  })

  it('lets an inner layer handle Escape first', async () => {
    const onClose = vi.fn()
    await renderInAdmin(() => <WithPanel onClose={onClose} />)
    openPanel()
    const driver = screen.getByRole('button', { name: 'Driver' })
    fireEvent.click(driver)
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Bilal' })))
    escape()
    expect(onClose).not.toHaveBeenCalled()
    await vi.waitFor(() => expect(document.activeElement).toBe(driver))
    expect(screen.queryByRole('button', { name: 'Bilal' })).toBeNull()
    escape()
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('makes the page inert on a narrow screen', async () => {
    setUpScreen({ width: 360 })
    await renderInAdmin(() => <WithPanel onClose={() => {}} />)
    const button = openPanel()
    expect(document.getElementById('main')?.inert).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(document.getElementById('main')?.inert).toBe(false)
    await vi.waitFor(() => expect(document.activeElement).toBe(button))
  })
})

describe('small components', () => {
  it('show initials in either script', () => {
    const names = ['Bilal Hussain', 'سارة المناعي', '  priya ', '+973 3600', 'Ali (night)', '']
    expect(names.map(initialsOf)).toEqual(['BH', 'س', 'P', '9', 'AN', ''])
  })

  it('show initials that no two people of a list share', () => {
    const names = [
      'بلال حسين',
      'باسم العلوي',
      'بدر الحداد',
      'علي المرزوق',
      'Bilal Hussain',
      'Basim Hasan',
      'Ali',
      'Ali A',
    ]
    const people = [...names, 'بلال حسين'].map((name, id) => ({ id, name }))
    const initials = (name: string) => distinctInitials(people.slice(0, -1)).get(names.indexOf(name))
    expect(new Set(names.map(initials)).size).toBe(names.length)
    // The last one has the name of the first.
    const twins = distinctInitials(people)
    expect([new Set(twins.values()).size, twins.get(0), twins.get(people.length - 1)]).toEqual([9, 'ب1', 'ب2'])
    expect(initials('علي المرزوق')).toBe('ع')
    expect(initials('باسم العلوي')).toBe('ب\u200cع')
    // Both are ب ح by their first letters.
    expect([initials('بلال حسين'), initials('بدر الحداد')]).toEqual(['ب\u200cل', 'ب\u200cد'])
  })

  it('show a change by arrow and number, and as text for screen readers', async () => {
    await renderInAdmin(() => (
      <>
        <Stat label="Orders" value="420" change={11.4} />
        <Stat label="Orders" value="420" change={-2} />
        <Stat label="Orders" value="420" change={0.2} />
      </>
    ))
    for (const words of ['Up by 11%', 'Down by 2%', 'No change']) expect(screen.getByText(words)).toBeTruthy()
  })

  it('choose by radio', async () => {
    const onChange = vi.fn()
    const options = [
      { value: 'today', label: 'Today' },
      { value: 'week', label: 'This week' },
    ] as const
    await renderInAdmin(() => <Segmented label="Period" value="today" options={options} onChange={onChange} />)
    expect(screen.getByRole('group', { name: 'Period' })).toBeTruthy()
    fireEvent.click(screen.getByRole('radio', { name: 'This week' }))
    expect(onChange).toHaveBeenCalledExactlyOnceWith('week')
  })

  it('copy a text to the clipboard and confirm', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    await renderInAdmin(() => <CopyButton text="K7QM" label="the number" />)
    fireEvent.click(screen.getByRole('button', { name: 'Copy the number' }))
    expect(await screen.findByText('Copied')).toBeTruthy()
    expect(writeText).toHaveBeenCalledExactlyOnceWith('K7QM')
  })

  it('omit terms without a value, and show author and time', async () => {
    await renderInAdmin(() => (
      <>
        <DescriptionList
          items={[
            ['Orders', 12],
            ['Notes', null],
            ['Spent', 0],
          ]}
        />
        <Timeline
          label="History"
          items={[{ key: 1, title: 'Shipped', by: 'Sara', time: '10:49', exact: '2026-11-21T07:49:00.000Z' }]}
        />
        <Avatar name="Bilal Hussain" title="Bilal Hussain" />
      </>
    ))
    expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Orders', 'Spent'])
    expect(screen.getByText('10:49').closest('time')?.dateTime).toBe('2026-11-21T07:49:00.000Z')
    expect(screen.getByText('Bilal Hussain')).toBeTruthy()
  })
})
