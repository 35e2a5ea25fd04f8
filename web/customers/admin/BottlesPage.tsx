import { mayOpen } from '@qatra/contract/admin'
import { exportBottles, idleDays, listBottles, manyBottles } from '@qatra/contract/bottles-admin'
import { formatDay } from '@qatra/contract/calendar/calendar'
import type { Output } from '@qatra/contract/endpoint'
import { formatCount } from '@qatra/contract/lib/digits'
import { listBottleTypes } from '@qatra/contract/products/bottle-types'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useNameIn } from '../../app/names.ts'
import type { Page, PageRequest } from '../../app/page.ts'
import { useToday } from '../../delivery/use-today.ts'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { flagIn, idIn, pageNumber, readSearch, type StateOf, textIn } from '../../lib/search-state.ts'
import { DownloadMenu } from '../../ui/admin/DownloadMenu.tsx'
import { PrintIcon, SendsIcon } from '../../ui/admin/icons.ts'
import { ChoiceFilter } from '../../ui/admin/list/ChoiceFilter.tsx'
import { ListPage } from '../../ui/admin/list/ListPage.tsx'
import { PAGE_SIZE, useList } from '../../ui/admin/list/use-list.ts'
import { Stat } from '../../ui/admin/Stat.tsx'
import { ToolbarButton, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { Money } from '../../ui/Bidi.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useVendorNames } from '../../users/admin/person-cache.ts'
import { BottlesPanel } from './BottlesPanel.tsx'
import { BottleCard, useBottleColumns } from './bottle-columns.tsx'

const shape = {
  q: textIn(100),
  vendor: idIn,
  type: idIn,
  min: idIn,
  idle: idIn,
  unsecured: flagIn,
  page: pageNumber,
  /** The customer and the type of bottle of the panel. */
  open: idIn,
  of: idIn,
}
type State = StateOf<typeof shape>
const noFilter = readSearch(shape, {})

const filtersOf = ({ q, vendor, type, min, idle, unsecured }: State) => ({
  ...(q && { search: q }),
  ...(vendor && { vendorId: String(vendor) }),
  ...(type && { typeId: type }),
  ...(min && { minCount: min }),
  ...(idle && { idleDays: idle }),
  ...(unsecured && { unsecured: 'true' as const }),
})

const bottlesQuery = (state: State) =>
  read(listBottles, { query: { ...filtersOf(state), page: state.page, limit: PAGE_SIZE } })
/** Asked for apart, since it takes longer than the rows. */
const figuresQuery = ({ vendor, type }: State) =>
  read(listBottles, { query: { ...filtersOf({ ...noFilter, vendor, type }), figures: 'true', limit: 1 } })
type Figures = NonNullable<Output<typeof listBottles>['figures']>

function BottlesPage() {
  const { t, lang } = useLanguage()
  const self = useUser()
  const nameIn = useNameIn()
  const today = useToday()
  const list = useList(shape, bottlesQuery)
  const { state, setState, data: answer } = list
  const { options: vendors, nameOf } = useVendorNames()
  const { data: types = [] } = useQuery(read(listBottleTypes))
  const figures = useQuery(figuresQuery(state)).data?.figures ?? null
  const columns = useBottleColumns()
  const isOpen = state.open !== undefined && state.of !== undefined
  const ofVendor = types.filter(({ vendorId }) => !state.vendor || vendorId === state.vendor)
  const { page } = state
  const vendorId = state.vendor ?? self?.vendorId
  // On paper, where neither filters nor the time are seen.
  const printedHead = [vendorId ? nameOf(vendorId) : '', formatDay(today, lang, 'long')]
  return (
    <ListPage
      list={list}
      title={t('heldBottles.title')}
      subtitle={<span className="hidden print:inline">{printedHead.filter(Boolean).join(' · ')}</span>}
      search={t('heldBottles.search')}
      head={<FiguresBand figures={figures} />}
      filters={
        <>
          <Chips state={state} rows={figures?.rows ?? null} onChange={setState} />
          {self?.role === 'super_admin' && (
            <ChoiceFilter label={t('admin.vendor')} searchable {...list.choice('vendor')} options={vendors} />
          )}
          {ofVendor.length > 1 && (
            <ChoiceFilter
              label={t('heldBottles.type')}
              {...list.choice('type')}
              options={ofVendor.map((type) => ({ value: type.id, label: nameIn(type) }))}
            />
          )}
          <ChoiceFilter
            label={t('heldBottles.idleFor')}
            {...list.choice('idle')}
            options={[30, 60, 90, 180].map((days) => ({ value: days, label: t('heldBottles.days', { count: days }) }))}
          />
        </>
      }
      tools={
        <>
          {mayOpen('/admin/whatsapp/campaigns/new', self) && (state.min || state.idle) && (
            <Link
              to="/admin/whatsapp/campaigns/new"
              search={{ bottles: state.min ?? 1, notFor: state.idle, vendor: state.vendor }}
              className={toolbarButtonClass()}
            >
              <SendsIcon size={16} aria-hidden="true" className="text-ink-3" />
              {t('heldBottles.campaign')}
            </Link>
          )}
          <ToolbarButton icon={PrintIcon} className="max-md:hidden" onClick={() => print()}>
            {t('heldBottles.print')}
          </ToolbarButton>
          <DownloadMenu path={exportBottles.path} query={filtersOf(state)} />
        </>
      }
      panel={
        isOpen && (
          <BottlesPanel
            key={`${state.open}.${state.of}`}
            customerId={state.open ?? 0}
            typeId={state.of ?? 0}
            onClose={() => setState({ open: undefined, of: undefined, page })}
          />
        )
      }
      label={t('heldBottles.list')}
      columns={isOpen ? columns.filter(({ key }) => key !== 'contact' && key !== 'delivery') : columns}
      rowKey={({ id }) => String(id)}
      rowLabel={({ name, phone }) => name ?? phone ?? t('heldBottles.erased')}
      openKey={textOf(answer?.items.find((row) => row.customerId === state.open && row.typeId === state.of)?.id)}
      onOpen={({ customerId, typeId }) => setState({ open: customerId, of: typeId, page })}
      empty={<EmptyState title={t('heldBottles.empty')} text={t('heldBottles.empty.hint')} />}
      renderCard={(row) => <BottleCard row={row} />}
      sum={
        answer && (
          <>
            {t('heldBottles.sum', { count: answer.sums.bottles })} · {t('heldBottles.held')}{' '}
            <Money bhd={answer.sums.deposits} />
          </>
        )
      }
    />
  )
}
const textOf = (id: number | undefined) => (id === undefined ? undefined : String(id))

function FiguresBand({ figures }: { figures: Figures | null }) {
  const t = useT()
  const waits = t('heldBottles.waits')
  const onVans = figures?.onVans
  const count = (of: (known: Figures) => number) => (figures ? formatCount(of(figures)) : waits)
  const places = (of: (known: Figures) => number) =>
    figures ? t('heldBottles.places', { count: of(figures) }) : undefined
  return (
    <section
      aria-label={t('heldBottles.figures')}
      aria-busy={figures === null}
      className="deep mx-4 grid grid-cols-2 gap-4 rounded-l p-5 md:mx-6 lg:grid-cols-4"
    >
      <Stat
        label={t('heldBottles.atCustomers')}
        value={count(({ bottles }) => bottles)}
        hint={figures ? t('heldBottles.customers', { count: figures.customers }) : undefined}
      />
      {onVans && (
        <Stat
          label={t('heldBottles.onVans')}
          value={formatCount(onVans.full + onVans.empty)}
          hint={t('heldBottles.onVans.hint', { full: formatCount(onVans.full), empty: formatCount(onVans.empty) })}
        />
      )}
      <Stat
        label={t('heldBottles.idleFigure', { days: idleDays })}
        value={count(({ idleBottles }) => idleBottles)}
        hint={places(({ rows }) => rows.idle)}
      />
      {!onVans && (
        <Stat
          label={t('heldBottles.unsecured')}
          value={count(({ unsecuredBottles }) => unsecuredBottles)}
          hint={places(({ rows }) => rows.unsecured)}
        />
      )}
      {/* An amount is wider than half a phone. */}
      <div className="max-sm:col-span-2">
        <Stat
          label={t('heldBottles.liability')}
          value={figures ? <Money bhd={figures.deposits} /> : waits}
          hint={t('heldBottles.liability.hint')}
        />
      </div>
    </section>
  )
}

interface ChipsProps {
  state: State
  rows: Figures['rows'] | null
  onChange(change: Partial<State>): void
}

/** Quick filters with their numbers of rows. */
function Chips({ state, rows, onChange }: ChipsProps) {
  const t = useT()
  const none = { min: undefined, idle: undefined, unsecured: false }
  const chips = [
    { key: 'all', count: rows?.all, isOn: !state.min && !state.idle && !state.unsecured, change: none },
    { key: 'many', count: rows?.many, isOn: state.min === manyBottles, change: { min: manyBottles } },
    { key: 'idle', count: rows?.idle, isOn: state.idle === idleDays, change: { idle: idleDays } },
    { key: 'unsecured', count: rows?.unsecured, isOn: state.unsecured, change: { unsecured: true } },
  ] as const
  const off = { all: none, many: { min: undefined }, idle: { idle: undefined }, unsecured: { unsecured: false } }
  return chips.map(({ key, count, isOn, change }) => (
    <ToolbarButton key={key} chosen={isOn} aria-pressed={isOn} onClick={() => onChange(isOn ? off[key] : change)}>
      {t(`heldBottles.chip.${key}`, { many: manyBottles, days: idleDays })}
      {count !== undefined && <span className="text-caption">{formatCount(count)}</span>}
    </ToolbarButton>
  ))
}

const load = ({ queries, search }: PageRequest) =>
  Promise.all([
    queries.ensureQueryData(bottlesQuery(readSearch(shape, search))),
    queries.ensureQueryData(read(listBottleTypes)),
  ])

export const page: Page = {
  Component: BottlesPage,
  showsWaiting: true,
  load: async (request) => void (await load(request)),
  head: ({ t }) => ({ title: t('heldBottles.title'), hidden: true }),
}
