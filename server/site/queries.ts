import { bahrainDate } from '@qatra/contract/calendar'
import type { Site } from '@qatra/contract/site'
import type { Config } from '../config/config.ts'
import { promisedDateFor } from '../vendors/promised-dates.ts'
import type { VendorSnapshot } from '../vendors/snapshot.ts'

interface SiteSnapshot extends Pick<VendorSnapshot, 'holidays'> {
  settings: ReadonlyMap<string, unknown>
}
type Facts = Pick<Config, 'publicUrl' | 'tileUrl' | 'simulator' | 'analytics'>

/** Settings `company.*`, `support.*`, `social.*` and `apps.*`; blank ones are null. */
export function readSite(catalogue: SiteSnapshot, config: Facts, at: Date): Site {
  const fact = (key: string) => {
    const value = catalogue.settings.get(key)
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
  }
  // Used as href: only https links are accepted.
  const link = (key: string) => {
    const value = fact(key)
    return value?.startsWith('https://') && URL.canParse(value) ? value : null
  }
  return {
    origin: config.publicUrl,
    company: {
      name: fact('company.name'),
      nameAr: fact('company.nameAr'),
      address: fact('company.address'),
      addressAr: fact('company.addressAr'),
      crNumber: fact('company.crNumber'),
      vatNumber: fact('company.vatNumber'),
    },
    support: { phone: fact('support.phone'), whatsapp: fact('support.whatsapp'), email: fact('support.email') },
    social: { instagram: link('social.instagram') },
    apps: { ios: link('apps.ios'), android: link('apps.android') },
    tileUrl: config.tileUrl,
    simulator: config.simulator,
    analytics: config.analytics,
    today: bahrainDate(at),
    promisedDate: promisedDateFor(catalogue, null, at),
  }
}
