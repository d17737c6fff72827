// Local parts that name a task and not a person: those of RFC 2142, of the lists that mail services
// refuse or flag, and their common words in other languages.

const names =
  // RFC 2142
  'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp ' +
  // mail services
  'admin administrator billing compliance devnull dns inoc ispfeedback ispsupport list list-request ' +
  'maildaemon mailer-daemon no-reply noreply no.reply donotreply do-not-reply do_not_reply nobody null ' +
  'phish phishing privacy registrar root spam sysadmin tech trouble undisclosed-recipients unsubscribe ' +
  'accounting accounts all careers contact contactus contact-us customerservice customer-service ' +
  'customercare enquiries enquiry everyone feedback finance hello help helpdesk hr inquiries inquiry ' +
  'invoice invoices it jobs legal mail mailbox media newsletter notifications office orders partners ' +
  'payments payroll press purchasing reception recruitment remove reply request returns service ' +
  'services shop staff store subscribe team test welcome ' +
  // other languages
  'kontakt contacto contato contatto contatti bonjour hola ventas vendas vertrieb verkauf bestellung ' +
  'buchhaltung rechnung verwaltung sekretariat bewerbung soporte suporte assistance ayuda ajuda hilfe ' +
  'administracion administracao facturacion comercial commercial compras compta comptabilite ' +
  'secretariat recepcion amministrazione ordini vendite lienhe hotro cskh kinhdoanh tuyendung ketoan ' +
  'layanan bantuan penjualan';

const roles: ReadonlySet<string> = new Set(names.split(' '));

/** `local` may have a tag: `info+shop`. */
export function isRoleName(local: string): boolean {
  const plus = local.indexOf('+');
  return roles.has((plus > 0 ? local.slice(0, plus) : local).toLowerCase());
}
