import type { MessageKey } from '../../web/lib/language/i18n.tsx'

export interface DemoPhone {
  phone: string
  role: MessageKey
}

/** Accounts of the demo data, one of each role. */
export const demoPhones: readonly DemoPhone[] = [
  { phone: '+97336000006', role: 'simulator.role.customer' },
  { phone: '+97336000001', role: 'simulator.role.super_admin' },
  { phone: '+97336000002', role: 'simulator.role.vendor_admin' },
  { phone: '+97336000003', role: 'simulator.role.vendor_staff' },
  { phone: '+97336000004', role: 'simulator.role.vendor_sales' },
  { phone: '+97336000005', role: 'simulator.role.driver' },
  { phone: '+97336000012', role: 'simulator.role.otherVendor' },
]

/** Staff only: customers have no access to the Telegram of the admin area. */
export const staffPhones = demoPhones.filter(({ role }) => role !== 'simulator.role.customer')
