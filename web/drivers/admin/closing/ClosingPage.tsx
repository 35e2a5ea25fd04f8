import { bahrainDate, formatDateTime, formatDay, formatTime, formatWeekday } from '@qatra/contract/calendar/calendar'
import { type CashClosing, closeCash, exportCashClosing, reopenCash } from '@qatra/contract/cash-closing'
import { isolated } from '@qatra/contract/lib/text'
import { getMe } from '@qatra/contract/users/auth'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useInLang, useNameIn } from '../../../app/names.ts'
import type { Page } from '../../../app/page.ts'
import { call, read } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { readSearch, useSearchState } from '../../../lib/search-state.ts'
import { useAction } from '../../../lib/use-action.ts'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { DownloadMenu } from '../../../ui/admin/DownloadMenu.tsx'
import { today } from '../../../ui/admin/day-words.ts'
import { PrintIcon } from '../../../ui/admin/icons.ts'
import { ChoiceFilter } from '../../../ui/admin/list/ChoiceFilter.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { AgainIcon, LockIcon } from '../../../ui/icons.tsx'
import { raisesToasts } from '../../../ui/raise-toasts.ts'
import { toast } from '../../../ui/Toast.tsx'
import { DayNav } from '../DayNav.tsx'
import { CashDialog, type CashQuestion } from './CashDialog.tsx'
import { ClosingTable } from './ClosingTable.tsx'
import { closingQuery, closingShape, stepsLeft } from './closing.ts'
import { DayEquation, Unexplained } from './DayEquation.tsx'
import { MissingList } from './MissingList.tsx'
import { VanDialog } from './VanDialog.tsx'

/** The cash of a vendor's day: drivers, differences, what is missing, and the lock. */
function ClosingPage() {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const inLang = useInLang()
  const user = useUser()
  const queries = useQueryClient()
  const [state, setState] = useSearchState(closingShape)
  const isMarket = user?.role === 'super_admin'
  const vendors = useQuery({ ...read(listVendors), enabled: isMarket })
  const vendorId = isMarket ? (state.vendor ?? vendors.data?.[0]?.id) : undefined
  const date = state.date ?? today()
  const key = closingQuery(date, vendorId)
  const { data, error, refetch, isPending } = useQuery({ ...key, enabled: !isMarket || vendorId !== undefined })
  const [dialog, setDialog] = useState<{ kind: CashQuestion | 'van'; driverId: number } | null>(null)
  const [isReopening, setIsReopening] = useState(false)
  const { busy, problem, run } = useAction(({ code }) => {
    if (code === 'OFFLINE') return t('admin.form.error.OFFLINE')
    void refetch()
    if (code === 'DAY_NOT_EXPLAINED') return t('closing.notExplained')
    return t(code === 'CASH_DAY_INCOMPLETE' || code === 'CASH_DAY_CLOSED' ? 'closing.changed' : 'closing.problem')
  })
  const send = (work: () => Promise<CashClosing>, done: string) =>
    run(async () => {
      queries.setQueryData(key.queryKey, await work())
      setIsReopening(false)
      toast({ title: done })
    })
  const left = data ? stepsLeft(data) : 0
  const body = vendorId === undefined ? {} : { vendorId }
  const chosen = data?.drivers.find(({ driver }) => driver.id === dialog?.driverId)
  const onAsk = (kind: CashQuestion | 'van', driverId: number) => setDialog({ kind, driverId })
  return (
    <AdminPageLayout
      title={t('closing.title')}
      isWaiting={isPending}
      subtitle={
        <span className="flex flex-wrap items-center gap-2">
          <DayNav day={date} last={today()} onChange={(day) => setState({ date: day })} />
          {data && <ClosedWords closing={data} />}
        </span>
      }
      actions={
        <>
          {isMarket && (
            <ChoiceFilter
              label={t('admin.vendor')}
              values={vendorId === undefined ? [] : [vendorId]}
              options={(vendors.data ?? []).map((vendor) => ({ value: vendor.id, label: nameIn(vendor) }))}
              onChange={([vendor]) => setState({ vendor })}
            />
          )}
          <DownloadMenu path={exportCashClosing.path} params={{ date }} query={{ vendorId }} />
          <ToolbarButton icon={PrintIcon} onClick={() => window.print()}>
            {t('closing.print')}
          </ToolbarButton>
        </>
      }
    >
      {error && !data ? (
        <div role="alert" className="grid flex-1 place-items-center p-8">
          <EmptyState title={t('admin.failed')} text={t('admin.failed.hint')}>
            <Button tone="gulf" icon={AgainIcon} onClick={() => void refetch()}>
              {t('admin.retry')}
            </Button>
          </EmptyState>
        </div>
      ) : data ? (
        <>
          <div className="grid flex-1 content-start gap-5 px-4 pb-6 md:px-6 print:block print:p-0">
            <h2 className="hidden text-title print:block">
              <bdi>{inLang(data.vendorName, data.vendorNameAr)}</bdi>
            </h2>
            <div className="grid gap-2">
              <DayEquation closing={data} />
              <Unexplained closing={data} onChanged={() => void refetch()} />
            </div>
            <ClosingTable closing={data} onAsk={onAsk} />
          </div>
          <footer
            ref={raisesToasts}
            className="foot-bar flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line bg-page px-4 py-3 max-md:static max-md:block md:px-6"
          >
            <MissingList closing={data} onAsk={onAsk} />
            {problem && (
              <p role="alert" className="rounded-m bg-clay-soft px-3 py-2 text-clay max-md:my-2">
                {problem}
              </p>
            )}
            {data.closed ? (
              <ToolbarButton className="ms-auto" onClick={() => setIsReopening(true)}>
                {t('closing.reopen')}
              </ToolbarButton>
            ) : (
              <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-1 max-md:mt-3 max-md:grid">
                {left === 0 && <p className="max-w-80 text-caption text-ink-2">{t('closing.after')}</p>}
                <Button
                  tone={left === 0 ? 'aqua' : 'quiet'}
                  icon={LockIcon}
                  busy={busy}
                  reason={left === 0 ? null : t('closing.left', { count: left })}
                  onClick={() => void send(() => call(closeCash, { params: { date }, body }), t('closing.done'))}
                >
                  {t('closing.close', { day: formatWeekday(date, lang) })}
                </Button>
              </div>
            )}
          </footer>
        </>
      ) : null}
      {dialog?.kind === 'van' && data && chosen && (
        <VanDialog
          driver={chosen.driver}
          closing={data}
          onClose={() => {
            setDialog(null)
            void refetch()
          }}
        />
      )}
      {dialog && dialog.kind !== 'van' && chosen && (
        <CashDialog
          kind={dialog.kind}
          driver={chosen.driver}
          date={date}
          cash={chosen.cash}
          onClose={() => setDialog(null)}
          onSaved={() => void refetch()}
        />
      )}
      <ConfirmDialog
        open={isReopening}
        title={t('closing.reopenTitle', { day: formatDay(date, lang, 'long') })}
        confirm={t('closing.reopen')}
        reason="required"
        reasonLabel={t('closing.reason')}
        busy={busy}
        error={problem}
        onCancel={() => setIsReopening(false)}
        onConfirm={(reason) =>
          void send(() => call(reopenCash, { params: { date }, body: { ...body, reason } }), t('closing.reopened'))
        }
      >
        {t('closing.reopenText')}
      </ConfirmDialog>
    </AdminPageLayout>
  )
}

function ClosedWords({ closing: { closed, reopened, date } }: { closing: CashClosing }) {
  const { t, lang } = useLanguage()
  const at = new Date(reopened?.at ?? 0)
  const isSameDay = bahrainDate(at) === date
  const state = closed?.by
    ? t('closing.closedBy', { name: closed.by, when: formatTime(new Date(closed.at), lang) })
    : t(closed ? 'closing.closed' : 'closing.open')
  return (
    <>
      <span
        className={classes(
          'inline-flex items-center gap-1.5 rounded-s px-2 py-0.5 text-caption',
          closed ? 'bg-gulf-soft text-gulf' : 'inset-ring inset-ring-line',
        )}
      >
        {closed && <LockIcon size={14} aria-hidden="true" />}
        {state}
      </span>
      {reopened && (
        <span className="text-caption text-clay">
          {t(reopened.by ? 'closing.reopenedBy' : 'closing.reopenedPlain', {
            name: isolated(reopened.by ?? ''),
            when: isSameDay ? formatTime(at, lang) : formatDateTime(at, lang),
            reason: isolated(reopened.reason),
          })}
        </span>
      )}
    </>
  )
}

export const page: Page = {
  Component: ClosingPage,
  showsWaiting: true,
  load({ queries, search }) {
    const { date = today(), vendor } = readSearch(closingShape, search)
    // A super admin's vendor is known once the vendors are; the page shows the load error with a retry.
    if (vendor === undefined && queries.getQueryData(read(getMe).queryKey)?.role === 'super_admin')
      return queries.prefetchQuery(read(listVendors))
    return queries.prefetchQuery(closingQuery(date, vendor))
  },
  head: ({ t }) => ({ title: t('closing.title'), hidden: true }),
}
