import { leftToRight } from '@qatra/contract/lib/text'
import { useInLang } from '../../app/names.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { Mark } from '../../ui/Mark.tsx'
import type { SettingsValues } from './settings-values.ts'

/** The footer of the shop with the typed facts. */
export function CompanyPreview({ values }: { values: SettingsValues }) {
  const t = useT()
  const inLang = useInLang()
  const cr = values['company.crNumber'].trim()
  const vat = values['company.vatNumber'].trim()
  const facts = [
    inLang(values['company.name'], values['company.nameAr']),
    inLang(values['company.address'], values['company.addressAr']),
    cr && t('settings.preview.cr', { number: leftToRight(cr) }),
    vat && t('settings.preview.vat', { number: leftToRight(vat) }),
  ].filter((fact) => fact.trim() !== '')
  const phone = values['support.phone'].trim() || values['support.whatsapp'].trim()
  return (
    <figure className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-l bg-well px-5 py-3.5 text-label">
      <Mark size={34} />
      <div className="min-w-0 flex-1">
        <figcaption className="font-strong">{t('settings.preview')}</figcaption>
        <p className="text-ink-2 wrap-anywhere">{facts.join(' · ') || t('settings.preview.none')}</p>
      </div>
      <div className="text-end text-ink-2">
        {phone && <bdi dir="ltr">{phone}</bdi>}
        <span className="block text-ink-3">{inLang(values['support.hours'], values['support.hoursAr'])}</span>
      </div>
    </figure>
  )
}
