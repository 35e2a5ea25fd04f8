import { type AdminProduct, updateProduct } from '@qatra/contract/products/admin'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { call, isMissing, unlessMissing } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { oneOf, useSearchState } from '../../lib/search-state.ts'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { Tabs } from '../../ui/admin/Tabs.tsx'
import { ToolbarButton, toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { Size } from '../../ui/Bidi.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { BinIcon, CopyIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { productQuery, renewProducts, useMayWrite } from './api.ts'
import { BackLink } from './BackLink.tsx'
import { ProductForm } from './ProductForm.tsx'
import { ProductHistory } from './ProductHistory.tsx'
import { bodyOf, valuesOf } from './product-form.ts'
import { useProductActions } from './use-product-actions.ts'

const shape = { tab: oneOf(['history']) }

function ProductPage() {
  const t = useT()
  const nameIn = useNameIn()
  const { id = '' } = useParams({ strict: false })
  const [{ tab }] = useSearchState(shape)
  const { data: product, error } = useQuery(productQuery(id))
  const mayWrite = useMayWrite()
  const isGone = error !== null && isMissing(error)
  return (
    <AdminPageLayout
      title={
        <bdi className="wrap-anywhere whitespace-normal">
          {product ? nameIn(product) : t(isGone ? 'adminProducts.missing' : 'adminProducts.edit')}
        </bdi>
      }
      subtitle={product && <Size size={product.size} />}
      actions={
        <>
          {product && mayWrite && (
            <Link to="/admin/products/new" search={{ from: product.id }} className={toolbarButtonClass()}>
              <CopyIcon size={16} aria-hidden="true" className="text-ink-3" />
              {t('adminProducts.copy')}
            </Link>
          )}
          <BackLink />
        </>
      }
      head={
        <Tabs
          label={t('adminProducts.tabs')}
          chosen={tab ?? 'facts'}
          items={[
            { key: 'facts', label: t('adminProducts.tab.facts'), search: { tab: undefined } },
            { key: 'history', label: t('adminProducts.tab.history'), search: { tab: 'history' } },
          ]}
        />
      }
    >
      <div className="pt-5">
        {tab === 'history' ? (
          <ProductHistory id={id} />
        ) : isGone ? (
          <EmptyState title={t('adminProducts.missing')} text={t('adminProducts.missingText')} />
        ) : (
          product && <EditProduct product={product} key={`${product.id}.${product.version}`} />
        )}
      </div>
    </AdminPageLayout>
  )
}

function EditProduct({ product }: { product: AdminProduct }) {
  const t = useT()
  const queries = useQueryClient()
  const mayWrite = useMayWrite()
  const id = String(product.id)
  const form = useForm({
    body: updateProduct.body,
    requires: ['nameAr'],
    start: valuesOf(product),
    toBody: (values) => ({ ...bodyOf(values), version: product.version }),
    send: (body) => call(updateProduct, { params: { id }, body }),
    onSaved: (saved) => {
      toast({ title: t('adminProducts.saved') })
      queries.setQueryData(productQuery(id).queryKey, saved)
      void renewProducts(queries)
    },
    failureOf: ({ code, details }) => (code === 'PRODUCT_EXISTS' ? (details.fields?.['name'] ?? null) : null),
  })
  return (
    <fieldset disabled={!mayWrite} className="min-w-0">
      {!mayWrite && <p className="px-4 pb-4 text-ink-2 md:px-6">{t('adminProducts.readOnly')}</p>}
      <ProductForm
        stored={product}
        form={form}
        label={t('adminProducts.edit')}
        tools={mayWrite && <DeleteProduct product={product} />}
      />
    </fieldset>
  )
}

function DeleteProduct({ product }: { product: AdminProduct }) {
  const t = useT()
  const name = useNameIn()(product)
  const navigate = useNavigate()
  const { remove } = useProductActions()
  const [state, setState] = useState<'closed' | 'open' | 'busy' | 'failed'>('closed')
  async function confirm() {
    setState('busy')
    try {
      await remove(product)
      void navigate({ to: '/admin/products', ignoreBlocker: true })
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      <ToolbarButton icon={BinIcon} tone="danger" className="ms-auto" onClick={() => setState('open')}>
        {t('adminProducts.delete')}
      </ToolbarButton>
      <ConfirmDialog
        open={state !== 'closed'}
        title={t('adminProducts.deleteTitle', { name })}
        confirm={t('adminProducts.delete')}
        tone="danger"
        busy={state === 'busy'}
        error={state === 'failed' && t('adminProducts.deleteFailed')}
        onConfirm={() => void confirm()}
        onCancel={() => setState('closed')}
      >
        {t('adminProducts.deleteText')}
      </ConfirmDialog>
    </>
  )
}

export const page: Page = {
  Component: ProductPage,
  load: ({ queries, params }) => queries.ensureQueryData(productQuery(params['id'] ?? '')).catch(unlessMissing),
  head: ({ t }) => ({ title: t('adminProducts.edit'), hidden: true }),
}
