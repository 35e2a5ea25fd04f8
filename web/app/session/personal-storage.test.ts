import { expect, it } from 'vitest'
import { checkoutDraftKey, clearPersonalStorage, inboxDraftKey, saleDraftKey, savedRunKey } from './personal-storage.ts'

it("clearPersonalStorage deletes personal keys and keeps the browser's own", () => {
  localStorage.setItem(`${inboxDraftKey}7`, 'Dear Noura')
  sessionStorage.setItem(`${saleDraftKey}5`, '{"name":"Noura","phone":"+97336000006"}')
  sessionStorage.setItem(`${checkoutDraftKey}6`, '{"form":{"customerName":"Noura"}}')
  localStorage.setItem(savedRunKey, '{"run":"Noura"}')
  localStorage.setItem('admin.sound', 'off')
  const stored = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])
  expect(stored().match(/Noura/g)).toHaveLength(4)
  clearPersonalStorage()
  expect(stored()).not.toMatch(/Noura|36000006/)
  expect(localStorage.getItem('admin.sound')).toBe('off')
})
