import type { Settings } from '@qatra/contract/settings/settings'
import type { SetupGap, SetupItem } from '@qatra/contract/settings/setup'

/** State of the installation, as `readSetupFacts` reads it. */
export interface SetupFacts {
  settings: Pick<Settings, 'company' | 'support'>
  areas: number
  vendors: number
  /** Of active vendors. */
  products: number
  /** An active vendor has an active product and an area, so a customer can order. */
  hasOffer: boolean
  /** A vendor chose a cut-off, which can be none, or a closure, or somebody declared a holiday. */
  hasDays: boolean
  /** Staff besides super admins, and open invitations. */
  people: number
  /** An import of customers exists that was not undone. */
  hasImport: boolean
  isWhatsappConnected: boolean
  isTelegramLinked: boolean
  testOrderId: string | null
  /** A test order was deleted, or a real order exists. */
  isTested: boolean
}

/** VAT numbers, links and hours are optional: not every company has them. */
const neededFacts = ['nameAr', 'name', 'addressAr', 'address', 'crNumber'] as const

function missingOfCompany({ company, support }: SetupFacts['settings']): SetupGap[] {
  const facts = neededFacts.filter((fact) => !company[fact]).map((fact) => `company.${fact}` as const)
  return support.phone || support.whatsapp ? facts : [...facts, 'contact']
}

/** With a vendor and products, it is the areas of the vendor that has the products. */
function missingOfOffer({ vendors, products, hasOffer }: SetupFacts): SetupGap[] {
  if (hasOffer) return []
  return [
    ...(vendors === 0 ? (['vendor'] as const) : []),
    ...(products === 0 ? (['product'] as const) : []),
    'vendorAreas',
  ]
}

export function checklistOf(facts: SetupFacts): SetupItem[] {
  const item = (
    key: SetupItem['key'],
    state: boolean | SetupGap[],
    link: string,
    count: number | null = null,
  ): SetupItem => {
    const missing = typeof state === 'boolean' ? [] : state
    const done = typeof state === 'boolean' ? state : missing.length === 0
    return { key, done, optional: key === 'customers' || key === 'telegram', link, count, missing }
  }
  const { testOrderId } = facts
  const unless = (isThere: boolean, gap: SetupGap): SetupGap[] => (isThere ? [] : [gap])
  return [
    // Whoever reads the list is a super admin.
    item('account', true, '/admin/users'),
    item('areas', unless(facts.areas > 0, 'areas'), '/admin/areas', facts.areas),
    item('company', missingOfCompany(facts.settings), '/admin/settings'),
    item('vendor', missingOfOffer(facts), '/admin/vendors', facts.products),
    item('days', unless(facts.hasDays, 'days'), '/admin/vendor-control?part=days'),
    item('people', unless(facts.people > 0, 'person'), '/admin/users', facts.people),
    item('customers', facts.hasImport, '/admin/customers/import'),
    item('whatsapp', unless(facts.isWhatsappConnected, 'whatsapp'), '/admin/whatsapp/connection'),
    item('telegram', facts.isTelegramLinked, '/admin/telegram'),
    item(
      'testOrder',
      testOrderId === null ? unless(facts.isTested, 'testOrder') : ['testOrderLeft'],
      testOrderId === null ? '/admin/setup' : `/admin/orders/${testOrderId}`,
      testOrderId === null ? 0 : 1,
    ),
  ]
}
