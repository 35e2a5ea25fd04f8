import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { formatPhone } from '@qatra/contract/lib/phone'
import { type Person, personViews } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import { exclusionReasons } from '@qatra/contract/whatsapp/campaigns/campaigns'
import type { Template } from '@qatra/contract/whatsapp/templates/templates'
import { useState } from 'react'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { SearchFilter } from '../../../ui/admin/list/FilterBar.tsx'
import { Segmented } from '../../../ui/admin/Segmented.tsx'
import { TableFoot } from '../../../ui/admin/table/TableFoot.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { classes } from '../../../ui/class-names.ts'
import { CloseIcon, PlusIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { LeftOut } from '../campaigns/campaign-parts.tsx'
import type { Draft } from './campaign-draft.ts'
import { type PreviewInput, usePreview } from './use-preview.ts'

const LIMIT = 10

interface PeopleFoundProps {
  draft: Draft
  template: Template
  campaignId: string | undefined
  set(change: Partial<Draft>): void
}

/** Matching recipients, and excluded ones with the reason; each can be removed and restored. */
export function PeopleFound({ draft, template, campaignId, set }: PeopleFoundProps) {
  const t = useT()
  const [view, setView] = useState<(typeof personViews)[number]>('kept')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const input: PreviewInput = { draft, template, campaignId, people: { view, page, limit: LIMIT, search } }
  const { data, error, isStale } = usePreview(input)
  if (error) {
    return (
      <p role="alert" className="text-clay">
        {t('campaigns.people.failed')}
      </p>
    )
  }
  if (!data?.people) return <Skeleton className="h-60" />
  const { count, exclusions, people } = data
  const left = exclusionReasons.reduce((sum, reason) => sum + (exclusions[reason] ?? 0), 0)
  const isOut = view === 'excluded'
  const counts = { kept: count, excluded: left }
  function move({ phone }: Person) {
    set({ excluded: isOut ? draft.excluded.filter((one) => one !== phone) : [...draft.excluded, phone] })
  }
  return (
    <section
      aria-label={t('campaigns.people')}
      aria-busy={isStale}
      className="grid gap-3 rounded-m border border-line p-4"
    >
      <div className="grid gap-1">
        <p role="status" className="text-heading">
          {t('campaigns.goesTo', { count })}
        </p>
        <LeftOut exclusions={exclusions} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label={t('campaigns.people')}
          value={view}
          options={personViews.map((one) => ({
            value: one,
            label: t(`campaigns.people.${one}`, { count: counts[one] }),
          }))}
          onChange={(next) => {
            setView(next)
            setPage(1)
          }}
        />
        <SearchFilter
          label={t('campaigns.people.search')}
          value={search}
          onChange={(text) => {
            setSearch(text)
            setPage(1)
          }}
        />
      </div>
      {people.items.length === 0 ? (
        <p className="py-3 text-ink-2">{t(search === '' ? 'campaigns.people.none' : 'admin.nothingFound')}</p>
      ) : (
        <ul className={classes('-my-1 grid', isStale && 'opacity-60')}>
          {people.items.map((person, at) => (
            // Repeated or missing numbers differ only by their index.
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <FoundRow key={`${person.phone} ${at}`} person={person} onMove={() => move(person)} />
          ))}
        </ul>
      )}
      {people.total > LIMIT && (
        <div className="-mx-4 -mb-4 overflow-hidden rounded-b-m">
          <TableFoot {...people} onPage={setPage} bulk={null} selectedCount={0} lastRow={undefined} />
        </div>
      )}
    </section>
  )
}

function FoundRow({ person, onMove }: { person: Person; onMove(): void }) {
  const { t, lang } = useLanguage()
  const { phone, name, lastOrderAt, reason } = person
  const number = reason === 'malformed' ? phone : formatPhone(phone)
  return (
    <li className="flex min-h-12 items-center justify-between gap-3 border-b border-line py-1 last:border-b-0">
      <span className="grid min-w-0">
        {name && (
          <span className="truncate font-strong">
            <bdi>{name}</bdi>
          </span>
        )}
        <span className="flex flex-wrap gap-x-2 text-ink-2">
          <bdi dir="ltr">{number}</bdi>
          {!reason && lastOrderAt && (
            <span className="text-ink-3">
              {t('campaigns.people.lastOrder', { day: formatDay(bahrainDate(new Date(lastOrderAt)), lang, 'short') })}
            </span>
          )}
        </span>
      </span>
      {reason && reason !== 'taken-out' ? (
        <span className="flex-none text-caption text-ink-3">{t(`campaigns.reason.${reason}`)}</span>
      ) : (
        <ToolbarButton
          icon={reason ? PlusIcon : CloseIcon}
          aria-label={t(reason ? 'campaigns.people.putBackOne' : 'campaigns.people.takeOutOne', {
            who: name ?? number,
          })}
          onClick={onMove}
        >
          {t(reason ? 'campaigns.people.putBack' : 'campaigns.people.takeOut')}
        </ToolbarButton>
      )}
    </li>
  )
}
