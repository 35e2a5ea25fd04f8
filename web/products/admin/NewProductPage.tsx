import { type AdminProduct, createProduct } from '@qatra/contract/products/admin'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useNameIn } from '../../app/names.ts'
import type { Page } from '../../app/page.ts'
import { call } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { idIn, readSearch, useSearchState } from '../../lib/search-state.ts'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { toast } from '../../ui/Toast.tsx'
import { productQuery, renewProducts } from './api.ts'
import { BackLink } from './BackLink.tsx'
import { ProductForm } from './ProductForm.tsx'
import { bodyOf, emptyProduct, type ProductValues, valuesOf } from './product-form.ts'

/** Id of the product to copy. */
const shape = { from: idIn }

function NewProductPage() {
  const t = useT()
  const [{ from }] = useSearchState(shape)
  const source = useQuery({ ...productQuery(String(from ?? 0)), enabled: from !== undefined })
  const navigate = useNavigate()
  const own = useUser()?.vendorId ?? null
  const start = source.data ? valuesOf(source.data) : emptyProduct(own)
  return (
    <AdminPageLayout title={t('adminProducts.new')} actions={<BackLink />}>
      {(from === undefined || source.data || source.error) && (
        <NewProduct
          key={from ?? 0}
          start={start}
          onSaved={({ id }) =>
            void navigate({ to: '/admin/products/$id', params: { id: String(id) }, ignoreBlocker: true })
          }
        />
      )}
    </AdminPageLayout>
  )
}

/** The form of a new product. */
export function NewProduct({ start, onSaved }: { start: ProductValues; onSaved(product: AdminProduct): void }) {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const form = useForm({
    body: createProduct.body,
    requires: ['nameAr'],
    start,
    toBody: bodyOf,
    send: (body) => call(createProduct, { body }),
    onSaved: (product) => {
      toast({
        title: t(product.isActive ? 'adminProducts.created' : 'adminProducts.createdHidden', {
          name: nameIn(product),
        }),
      })
      queries.setQueryData(productQuery(String(product.id)).queryKey, product)
      void renewProducts(queries)
      onSaved(product)
    },
    failureOf: ({ code, details }) => (code === 'PRODUCT_EXISTS' ? (details.fields?.['name'] ?? null) : null),
  })
  return <ProductForm form={form} label={t('adminProducts.new')} />
}

export const page: Page = {
  Component: NewProductPage,
  load: async ({ queries, search }) => {
    const { from } = readSearch(shape, search)
    if (from !== undefined) await queries.prefetchQuery(productQuery(String(from)))
  },
  head: ({ t }) => ({ title: t('adminProducts.new'), hidden: true }),
}
