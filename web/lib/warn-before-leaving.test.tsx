import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { leaveWithoutWarning, useWarnBeforeLeaving } from './warn-before-leaving.ts'

function Page({ isWarning }: { isWarning: boolean }) {
  useWarnBeforeLeaving(isWarning)
  return null
}
const isAsked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('a page that warns asks before it leaves, but not for a page that the server answered with', () => {
  const { rerender } = render(<Page isWarning={false} />)
  expect(isAsked()).toBe(false)
  rerender(<Page isWarning />)
  expect(isAsked()).toBe(true)
  leaveWithoutWarning(10_000)
  expect(isAsked()).toBe(false)
  leaveWithoutWarning(0)
  expect(isAsked()).toBe(true)
})
