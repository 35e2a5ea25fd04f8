import type { MessageKey } from '../app/i18n.tsx'

export interface DemoPhone {
  phone: string
  role: MessageKey
}

/** The sign-ins of the demo data, one of each role. */
export const demoPhones: readonly DemoPhone[] = [
  { phone: '+97336000006', role: 'simulator.role.customer' },
  { phone: '+97336000001', role: 'simulator.role.super_admin' },
  { phone: '+97336000002', role: 'simulator.role.vendor_admin' },
  { phone: '+97336000003', role: 'simulator.role.vendor_staff' },
  { phone: '+97336000004', role: 'simulator.role.vendor_sales' },
  { phone: '+97336000005', role: 'simulator.role.driver' },
  { phone: '+97336000012', role: 'simulator.role.otherVendor' },
]

/** Customers have no business on the admin area's Telegram. */
export const staffPhones = demoPhones.filter(({ role }) => role !== 'simulator.role.customer')
