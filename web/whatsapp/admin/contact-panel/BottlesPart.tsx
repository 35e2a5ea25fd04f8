import type { ContactBottles } from '@qatra/contract/bottles-admin'
import { formatCount } from '@qatra/contract/lib/digits'
import { useInLang, useNameIn } from '../../../app/names.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { PanelPart } from '../../../ui/admin/SidePanel.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { classes } from '../../../ui/class-names.ts'

/** What the customer has of each type, and where, if at several addresses; nothing without bottles. */
export function BottlesPart({ bottles }: { bottles: readonly ContactBottles[] }) {
  const t = useT()
  const nameIn = useNameIn()
  const inLang = useInLang()
  const hasVendors = new Set(bottles.map(({ vendorId }) => vendorId)).size > 1
  if (bottles.length === 0) return null
  return (
    <PanelPart title={t('inbox.bottles')}>
      <ul className="grid grid-cols-1 gap-2.5">
        {bottles.map(({ typeId, vendorName, vendorNameAr, count, depositHeld, credit, places, ...type }) => (
          <li key={typeId}>
            <p className="flex items-baseline justify-between gap-3 font-strong">
              <span className="min-w-0">
                <bdi>{nameIn(type)}</bdi>
                {hasVendors && (
                  <span className="font-regular text-ink-3">
                    {' · '}
                    <bdi>{inLang(vendorName, vendorNameAr)}</bdi>
                  </span>
                )}
              </span>
              <bdi>{formatCount(count)}</bdi>
            </p>
            {places.length > 1 && (
              <ul className="text-caption text-ink-2">
                {places.map((place, at) => (
                  <li key={at} className="flex items-baseline justify-between gap-3">
                    <bdi className="min-w-0 truncate">{place.address ?? t('inbox.bottles.nowhere')}</bdi>
                    <bdi>{formatCount(place.count)}</bdi>
                  </li>
                ))}
              </ul>
            )}
            <p className="flex items-baseline justify-between gap-3 text-ink-2">
              {t('inbox.bottles.deposit')} <Money bhd={depositHeld} />
            </p>
            {credit !== 0 && (
              <p
                className={classes(
                  'flex items-baseline justify-between gap-3',
                  credit < 0 ? 'text-clay' : 'text-ink-2',
                )}
              >
                {t(credit > 0 ? 'inbox.bottles.credit' : 'inbox.bottles.owed')} <Money bhd={Math.abs(credit)} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </PanelPart>
  )
}
