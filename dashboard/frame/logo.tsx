// The sign of the product, or of the org whose dashboard this is.

export function Logo({ url, name }: { readonly url?: string | null; readonly name?: string }) {
  if (url !== undefined && url !== null)
    return <img className="logo" src={url} alt={name ?? ''} referrerPolicy="no-referrer" />;
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect className="logo-ground" width="32" height="32" rx="8" />
      <path className="logo-lines" d="M8 11.5v9.5h16v-9.5M8 11.5 16 18l8-6.500" />
    </svg>
  );
}
