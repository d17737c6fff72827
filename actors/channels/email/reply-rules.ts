// What mail servers say, as a table: the first rule that fits decides. Words about the sender come
// before words about the recipient, and words before codes, because a wrong "mailbox unknown" loses
// a customer and a missed one costs one more failure. Patterns are linear: no open repetition.

/** What to do, apart from whether the server refuses for now (4xx) or for good (5xx). */
type Judged =
  /** Nobody can get mail there: for good with a 5xx. */
  | 'dead'
  /** This recipient takes nothing for now, with whatever code: try again in minutes to hours. */
  | 'later'
  /** The relay, or this server's account there, asks to send less. */
  | 'slow_down'
  /** The recipient's provider asks to send less to its domain. */
  | 'slow_down_domain'
  /** Nobody else would have got it either: the sender is refused. */
  | 'sender'
  /** This mail is refused; others to the same mailbox may be taken. */
  | 'refused';

export interface ReplyRule {
  readonly judged: Judged;
  readonly reason: string;
  /** Of the words in lower case on one line, without links, addresses and codes. */
  readonly words?: RegExp;
  /** Of all that was said in lower case, where links, codes and marks decide. */
  readonly marks?: RegExp;
  /** Of the enhanced code, such as `5.1.1`; with `words`, both must fit. */
  readonly enhanced?: RegExp;
  readonly codes?: readonly number[];
  /** Whose replies taught it. */
  readonly source: string;
}

const person = '(?:users?|recipients?|mailbox|mail ?box|rcpt)';
const holder = `(?:${person}|address|account|alias|destination|addressee|e-?mail)`;

/** Limits: the person's own first, then what an account or a provider allows the sender. */
const limits: readonly ReplyRule[] = [
  {
    judged: 'later',
    reason: 'recipient_quota',
    words: new RegExp(
      `receiving (?:e?mails?|messages) (?:at a rate|too (?:quickly|fast))|receiving limits?|thread limit exceeded|mailbox unavail\\w{0,4} or access den\\w{0,4}|exceeding receiving|(?:recipient|mailbox)(?:'s)? .{0,30}(?:receive|receiving) .{0,10}limit|recipient has (?:reached|exceeded) (?:the|their|its) .{0,20}(?:limit|maximum)|recipient(?:'s mailbox)? .{0,40}(?:allowed )?message rate|too many .{0,40}(?:for|to) (?:this|the|that) ${person}(?! on)`,
    ),
    source: 'Gmail 4.2.1 and 5.2.1, Yahoo, Exchange 5.2.121 and 5.2.122, QQ 1000725',
  },
  {
    judged: 'later',
    reason: 'recipient_quota',
    words: new RegExp(
      `^(?!.{0,300}(?:\\bsen[dt]|relay|customer|submission|outgoing)).{0,300}(?:(?:mailbox|recipient)(?:'s)? (?:\\w{1,10} ){0,2}(?:exceed\\w{0,4}|reached) .{0,30}(?:limit|number|rate)\\b.{0,20}(?:e?-?mails?|messages)|exceed\\w{0,4} the number of (?:recipients|messages) for this ${person}|exceed\\w{0,4} .{0,20}receiv\\w{1,3} limit|(?:mailbox|recipient|user) (?:has )?received too many|too many (?:e?-?mails?|messages) for$|(?:message|mail) limit (?:for|of) (?:this |the )?(?:recipient|mailbox))`,
    ),
    source: 'limits of one mailbox, however they are said',
  },
  {
    judged: 'later',
    reason: 'recipient_quota',
    words:
      /^(?!.{0,300}(?:\bsen[dt]|relay|customer|submission)).{0,300}(?:too many (?!messages in)|rate limit|too quickly|throttl|(?:over|reached) .{0,30}(?:rate|limit)|limit exceeded|exceed\w{0,4} .{0,20}(?:rate|limit))/,
    enhanced: /^[45]\.(?:1\.1|2\.[01])$/,
    source: 'RFC 3463: X.1.1 and X.2 are about the mailbox, so its limit is its own',
  },
  {
    judged: 'later',
    reason: 'recipient_quota',
    enhanced: /^[45]\.2\.12[12]$/,
    source: 'Exchange Online: messages per hour to one recipient',
  },
  {
    judged: 'slow_down_domain',
    reason: 'throttled',
    words:
      /unusual rate of|temporarily rate limited|rate limited (?:because|due to)|exceeded the rate limit allowed|temporarily deferred due to|excessive volume|access denied, please try again later|server busy\. please try again later from|too many (?:spams|errors) from your ip|trop de connexions|(?:ip|domain|sender|connection) frequency (?:is )?limited|unexpected volume|user complaints/,
    source: 'Gmail, Yahoo TSS, Outlook.com, iCloud, QQ, Free',
  },
  {
    judged: 'slow_down_domain',
    reason: 'throttled',
    marks:
      /\(dyn:t\d|\brp-00[123]\b|\brl0000\d\d\b|\bcx(?:mxrt|thrt|conn)\b|\bofr_?\d{0,3}_?10[34]\b|\blpn\d{0,3}_10[34]\b|\b(?:hl:(?:icc|ifc|mep|rep)|rp:(?:trc|drc|ccl)|mi:(?:cel|dmc|ccl))\b|aup#i?-?(?:1[345]\d\d)\b/,
    source: 'Yahoo, AOL, Hotmail, Comcast, Cox, Orange, LaPoste, NetEase, Charter',
  },
  {
    judged: 'slow_down_domain',
    reason: 'throttled',
    marks: /\[ts{1,2}\d\d\]/,
    codes: [421, 450, 451],
    source: 'Yahoo: TS01 to TSS11',
  },
  {
    judged: 'slow_down_domain',
    reason: 'throttled',
    enhanced: /^(?:[45]\.7\.28|4\.7\.(?:[56]\d\d)|5\.7\.508)$/,
    source: 'Gmail 4.7.28; Exchange Online 4.7.500 to 4.7.699, 5.7.508',
  },
  {
    judged: 'slow_down',
    reason: 'throttled',
    words:
      /(?:daily|hourly|monthly|weekly|sending|submission|outgoing|outbound|sent|per.?(?:day|hour|minute|second|domain|connection)) .{0,40}(?:limit|quota|threshold|allowance)|(?:limit|quota) .{0,30}(?:per|of|a|an|each|this|in one|for the) (?:last )?(?:\d{1,5} )?(?:day|hour|minute|second)s?\b|exceed\w{0,4} .{0,40}per (?:day|hour|minute|second)|(?:e-?mails?|messages|recipients) (?:per|an?) (?:day|hour|minute|second)|(?:send|sending|sender) (?:rate|too)|has sent (?:to )?too many|sent too many|unusual sending|submission quota|quota exceeded for (?:the )?sender/,
    source: 'SES, Microsoft 365 5.1.90, Google 5.4.5, GoDaddy IB607, cPanel, Zoho',
  },
  {
    judged: 'slow_down',
    reason: 'throttled',
    enhanced: /^5\.(?:1\.90|4\.5)$/,
    source: 'Microsoft 365 and Google: daily limits of an account',
  },
];

/** A mailbox that is full: with whatever code, it may have room tomorrow. */
const full: readonly ReplyRule[] = [
  {
    judged: 'later',
    reason: 'mailbox_full',
    enhanced: /^[45]\.2\.2$/,
    source: 'RFC 3463 X.2.2',
  },
  {
    judged: 'later',
    reason: 'mailbox_full',
    words:
      /over ?(?:the |its |their |disk |mail |storage |mailbox |allowed |his )?-?quota|over the allowed quota|quota (?:is |has been |usage )?(?:exceed|full|violation|reached)|(?:exceed\w{0,4}|over|reached|beyond) .{0,30}(?:disk|storage|mailbox|space|quota)|(?:mailbox|inbox|mail ?box|mail ?dir|mail ?folder|account|storage|disk) (?:is |was |currently |temporarily |over |almost ){0,3}full|full mailbox|mailbox .{0,40}(?:exceed|size limit|over ?limit|too large)|too many messages (?:in|on) (?:this|the|his|her|their)|(?:disk|storage|mailbox|enough|sufficient|free) space|out of storage|no space left|space has been used|insufficient storage|too much mail data|enough storage/,
    source: 'Gmail, Yahoo, Postfix, Exim, qmail, cPanel, docomo, Exchange',
  },
  {
    judged: 'later',
    reason: 'mailbox_full',
    words:
      /bo[iî]te .{0,30}pleine|quota d.{0,20}d[eé]pass|buz[oó]n .{0,20}lleno|cuota .{0,20}exced|caixa .{0,30}cheia|casella .{0,20}piena|postfach .{0,30}voll|skrzynka .{0,20}pe[lł]na|переполнен|邮箱已满|容量|信箱已滿/,
    source: 'Orange, LaPoste, Terra, UOL, Libero, T-Online, Mail.ru, NetEase',
  },
];

/** A message that is too large, and a banned sender, before general words of limits. */
const exceeded: readonly ReplyRule[] = [
  {
    judged: 'later',
    reason: 'deferred',
    words: /insufficient system (?:storage|resources)|mail system full/,
    source: 'RFC 5321 452, Postfix 4.3.1: the server itself is full',
  },
  {
    judged: 'refused',
    reason: 'message_too_large',
    words:
      /(?:message|mail|e-?mail|data|header|content|file)s? (?:\w{1,12} ){0,4}(?:too (?:big|large|long))|(?:exceed\w{0,4}|maximum|max\.?|over) .{0,40}(?:\bsize|length)\b|(?:message|mail|e-?mail|data|header|attachment)s? (?:size|length) .{0,30}(?:exceed|limit|maximum)|size limit|messages? of this size|too (?:big|large)|taille (?:limite|maximale)/,
    source: 'Postfix, Exim, Exchange, Gmail 5.3.4, Orange',
  },
  {
    judged: 'refused',
    reason: 'message_too_large',
    enhanced: /^[45]\.(?:3\.4|2\.3)$/,
    source: 'RFC 3463 X.3.4 and X.2.3',
  },
  {
    judged: 'sender',
    reason: 'sender_blocked',
    enhanced: /^5\.7\.(?:50[123]|511|6[0-4]\d|70[58]|750|1606)$/,
    source: 'Exchange Online: banned sender, banned address, tenant over its threshold',
  },
];

/** Limits that this mail alone exceeds: another one is taken, so they slow nobody down. */
const ofThisMail: readonly ReplyRule[] = [
  {
    judged: 'refused',
    reason: 'content_refused',
    words:
      /^(?!.{0,300}(?:\bips?\b|\brate\b|connection|reputation|sender ?score|per (?:hour|day|minute|second))).{0,300}(?:(?:spam|junk|bulk|phish\w{0,4}|virus|content) ?(?:\w{1,12} ){0,3}(?:score|level|limit|threshold)|(?:score|confidence|level)\b.{0,40}(?:exceed|above|over|threshold|limit)|(?:too many|number of|exceed\w{0,4}) (?:\w{1,10} ){0,3}(?:urls?|links?|images?|attachments?|mime parts?|headers?)\b|(?:urls?|links?|mime|attachments?|nesting|headers?) (?:\w{1,10} ){0,2}(?:limit|exceed|count))/,
    source: 'SpamAssassin, rspamd, Exchange SCL, MIMEDefang',
  },
  {
    judged: 'refused',
    reason: 'routing',
    words: /hop count|too many hops|hops? .{0,20}(?:exceed|limit)|mail loop|loop(?:ing)? detected/,
    source: 'RFC 3463 X.4.6',
  },
  {
    judged: 'refused',
    reason: 'refused',
    words:
      /too many recipients in (?:the )?(?:to|cc)\b|too many (?:invalid|bad|unknown|unrecogni[sz]ed) commands/,
    source: 'Exim, Exchange: of the mail or of one conversation',
  },
];

const anyLimit: ReplyRule = {
  judged: 'slow_down',
  reason: 'throttled',
  words:
    /too much mail|too many (?:\w{1,20} ){0,3}(?:e-?mails?|messages?|mails?|requests?|connections?|sessions?|recipients|logins?|transactions|commands|attempts)|rate.?limit|(?:mail|message|connection|sending|user|e-?mail|smtp|recipient) rate|throttl|slow(?:er| down|ing)|(?:concurren|simultaneous)\w{0,6} (?:smtp )?(?:connection|session)|connection limit|messages? (?:limit|per connection)|exceed\w{0,4} .{0,30}\b(?:rate|limits?|thresholds?)\b|\blimits? .{0,60}(?:exceed|reached)|exceed\w{0,4} (?:the )?(?:maximum |allowed )?number of|try again slower|troppe connessioni|demasiad[ao]s (?:conexiones|mensajes)/,
  source: 'Mailtrap, Sendmail, Postfix anvil, Exim ratelimit, Yahoo, Yandex',
};

/** About the sender: an unproved domain, a blocked address, a refused one. Never kills. */
const sender: readonly ReplyRule[] = [
  {
    judged: 'refused',
    reason: 'policy',
    words:
      /allowed.senders|not ?authenticated ?for ?(?:group|mailbox|public)|resolver\.rst\.(?:notauth|sendernot)|members?.only|not allowed to post|(?:only|not) accept\w{0,3} mail (?:only )?(?:from|with) (?:specific|certain|known)|restricted (?:to|list|recipient)|user reject|recipient preferences|user rules|refuses to (?:receive|accept)|rejected by (?:the )?recipients?/,
    source: 'Exchange groups and mailboxes that take mail from some senders only, AOL',
  },
  {
    judged: 'sender',
    reason: 'sender_not_authenticated',
    words:
      /\b(?:spf|dkim|dmarc|arc seal)\b|sender policy framework|unauthenticated|(?:sender|domain|mail|message|e-?mail) (?:is |was |has |did |could )?not (?:been |be )?(?:authenticat|pass(?:ed)? .{0,20}authenticat)|reverse.?(?:dns|host|lookup|hostname|record|resolution)|\br?dns ptr\b|\bptr\b|\brdns\b|cannot (?:find|resolve) your .{0,10}(?:host|address|ip)|\b(?:helo|ehlo)\b|(?:does not|must|should) resolve|fcrdns/,
    source: 'Gmail, Microsoft, Yahoo, QQ, Mail.ru, GMX, Postfix HELO and PTR checks',
  },
  {
    judged: 'sender',
    reason: 'sender_not_authenticated',
    enhanced: /^[45]\.7\.(?:2[0-9]|30|40|509|515|72)$/,
    source: 'RFC 7372 and 8601, Gmail 5.7.26 to 5.7.30, Microsoft 5.7.509 and 5.7.515',
  },
  {
    judged: 'sender',
    reason: 'sender_blocked',
    marks:
      /spamhaus|spamcop|barracudacentral|sorbs\.net|abuseat|uceprotect|surbl\.org|uribl\.com|invaluement|senderscore|senderbase|talosintelligence|dnsbl|ipcheck\.proofpoint|proofpoint\.com\/dnsbl|mailspike|spamrats|manitu|backscatterer|cloudmark\.com\/csi|csi\.cloudmark|sendersupport\.olc|mail\.live\.com\/mail\/(?:postmaster|troubleshooting)|\(s3(?:140|150)\)|\(con:b\d|\((?:hvu|rly|dny|ip|rtr|tsk|src|dyn):b?[a-z]{0,2}\d?\)|\bib\d{3}\b|\bcx(?:bl|snd|dns|jusr)r?\b|aup#|\b(?:dt|rp|mi|hl|wm|al):(?:rbl|bli|spb|bdp|rbe|sum|bel|frl|ctb)\b|tosa@rx\.t-online|@[\w.-]{1,250}:blocked|ofr_?\d{0,3}_?5(?:01|10|19)\b|lpn\d{0,3}_5(?:01|10)\b|as\(?(?:1430|843|8000|3[0-9]{2})\)/,
    source: 'blocklists by their links; codes of Outlook.com, AOL, Cox, GoDaddy, iCloud, Orange',
  },
  {
    judged: 'refused',
    reason: 'mailbox_suspended',
    words:
      /(?:user|recipient|mailbox|account|alias)(?:'s)? (?:\w{1,12} ){0,4}(?:suspended|frozen|locked|blocked|archiv|on hold)|(?:suspended|frozen|locked|blocked) (?:user|mailbox|recipient)|recipient suspend|archived recipient|blocked by (?:the )?recipient|refus\w{1,3} by (?:the )?recipient|destinataire archivee|temporar\w{1,3} (?:disabled|inactive|locked|blocked|deactivated)|(?:rejected|refused|denied): temporarily/,
    source: '163, QQ, Yandex, cPanel, LaPoste: a mailbox that may come back',
  },
  {
    judged: 'sender',
    reason: 'sender_blocked',
    words:
      /black.?list|block.?list|deny.?list|\b(?:rbl|xbl|pbl|sbl|drbl)\b|reputation|\bbanned\b|\bblocked (?:using|by(?! policy| content| spamassassin| the recipient)|for (?:spam|abuse|sending)|due|from|at|-|:|see|until|\()|(?:\bips?\b|\bip.address|client|host|server|network|domain|connection|sender|sending|envelope|messages? from|e?mails? from|access|you) (?:[\w[\].:-]{1,40} ){0,5}(?:is |was |are |has been |been )?(?:blocked|banned|listed)|(?:^|: )blocked\b(?! by policy)|(?:your|sending|sender|source|this|from|bad|client) (?:server )?ip\b|\bdynamic (?:ip|host|address)|spam abuse|abus detecte|for abuse|abusive|sending spam|spam ip\b|black ip\b|permanently deferred|\bspammers?\b|too many (?:\w{1,12} ){0,2}(?:spam|complaints|(?:unknown|invalid|bad|nonexistent|non-existent) (?:users?|recipients?|addresses))|directory harvest|open (?:proxy|relay)|go away|not allowed to connect|no access from|host network not allowed|suspicious(?:ly)? (?:ip|traffic|activity|connection|like)|bounce attack|complaints|local policy .{0,10}ip|client host rejected|refused to talk|connection (?:refused|denied|rejected)|traffic not accepted|exceeded threshold/,
    source: 'Outlook.com, Yahoo, GMX, Mail.ru, QQ, Free, Mimecast, Barracuda, Cisco, Exim',
  },
  {
    judged: 'refused',
    reason: 'relaying_denied',
    words:
      /relay(?:ing)? (?:access )?(?:is |was )?(?:denied|not|prohibited|forbidden|disallowed|refused|mail)|(?:unable|not|cannot|do not|don't|refuse) (?:\w{1,12} ){0,2}(?:to )?relay|no relay|rcpt ?hosts|(?:a|an|as|open|insecure|mail) relay\b|not (?:a |local )(?:gateway|host)|authentication (?:is )?required|requires? authentication|must (?:\w{1,8} ){0,2}authenticat|not authenticated|please (?:log ?in|authenticate)|don't handle mail for|domain is not allowed|tenantattribution/,
    source: 'Postfix, Exim, Sendmail, qmail, Exchange 5.7.64',
  },
  {
    judged: 'sender',
    reason: 'sender_refused',
    words:
      /\bsenders?(?:'s)? (?:e-?mail |mail |envelope |domain |address |id ){0,3}(?:.{0,40} )?(?:verif|callout|rejected|refused|denied|invalid|unknown|unroutable|unrouteable|unresolvable|not |is not|is in my|does|doesn|must|was rejected|syntax|could not|cannot|failed|forbidden|unauthori)|(?:invalid|unknown|bad|unverified|unauthori[sz]ed|unresolvable|unroutable|unrouteable|null|empty|forged|spoofed|verified|illegal|fake|bogus|prohibited) (?:envelope |mail |e-?mail |return |mime )?(?:senders?|from|return.?path)\b|domain of sender|\bmail from\b|envelope.?(?:from|sender)|return.?path|\bfrom:? ?(?:address|domain)|sending (?:is |has been )?paused|account (?:is )?(?:paused|under review)|verification failed for|not (?:allowed|authori[sz]ed|permitted) to (?:send|submit|use)|backscatter|\bbatv\b|identit(?:y|ies) (?:failed|.{0,20}not verified)|address is not verified|sendasdenied|not owned by|send as\b|sender signature|your (?:account|domain|e-?mail address|server|network|message source|organi[sz]ation|mail server|access)|[eé]metteur|exp[eé]diteur|absender|remitente|mittente|remetente|отправител/,
    source: 'Exim sender callouts, Postfix, SES, SendGrid, Postmark, Microsoft 365, 163',
  },
  {
    judged: 'sender',
    reason: 'sender_refused',
    enhanced: /^5\.1\.[78]$/,
    source: 'RFC 3463 X.1.7 and X.1.8: the address of the sender',
  },
  {
    judged: 'refused',
    reason: 'routing',
    words:
      /too many (?:hops|received)|hop ?count|\bloop(?:s|ing)?\b|try again\b.{0,20}dns|host not found, try again|malformed .{0,20}name server|lookup (?:failure|timed|error)|servfail|server failure|timed? ?out|connection (?:lost|reset|dropped)|no route to host|(?:host|network) (?:is )?unreachable|not reachable/,
    source: 'Sendmail, Postfix, Exchange 5.4.6 and 5.4.14',
  },
];

/** About the recipient: nobody is there, whatever the code says. */
const gone: readonly ReplyRule[] = [
  {
    judged: 'later',
    reason: 'deferred',
    words:
      /look ?up (?:failed|failure|error)|backend (?:error|failure|unavailable)|(?:unable to|cannot|can't|could not) verify (?:the )?(?:recipient|address|user|mailbox)|verification (?:is )?(?:in progress|pending)|being (?:migrated|moved|created)|mailbox (?:is )?busy|\bldap\b|database (?:error|unavailable)/,
    source: 'whatever code they give: the server did not find out',
  },
  {
    judged: 'sender',
    reason: 'sender_refused',
    words:
      /(?:smtp|api|sending|sender(?:'s)?|submission) (?:user|account|address(?! look)|domain|key|login)|(?:smtp|api) (?:user|account|key)|sending from|login (?:required|failed|first)|(?:user|login) ?(?:name)? or password|\bcredentials?\b|originator|return[ -](?:path|address)|reply-to|(?:from|reply-to) header|in (?:your|the) from\b|your dns name|url domain|domain (?:of|in) (?:the |your |a )?(?:url|link|header)/,
    source: 'relays about an account, and receivers about headers: nobody asked for the recipient',
  },
  {
    judged: 'refused',
    reason: 'policy',
    words: /\bblock(?:ed|ing)\b/,
    source: 'any: who is blocked is not said, so it may be the sender',
  },
  {
    judged: 'dead',
    reason: 'domain_takes_no_mail',
    words:
      /null ?-?mx|(?:host|domain|server|site|system)(?:\/domain)? (?:\w{1,12} ){0,2}(?:does not|doesn't|never|no longer) accepts? (?:any )?(?:e?-?mail|messages)|no mail is accepted/,
    source: 'RFC 7505 and RFC 7504, Postfix, iCloud',
  },
  {
    judged: 'dead',
    reason: 'domain_takes_no_mail',
    codes: [556],
    source: 'RFC 7504',
  },
  {
    judged: 'dead',
    reason: 'domain_not_found',
    words:
      /(?:domain|host|hostname|mail server|mx|name)s?(?: name)? (?:.{0,60} )?(?:not (?:be )?found|does ?n[o']t (?:exist|resolve)|does not exist|doesn't exist|is unknown|unknown|not exist|not known)|(?:no such|unknown|non-?existent|nonexistent|unrout[ae]{0,2}ble|unresolvable|invalid|bad|illegal) (?:mail |e-?mail |destination |recipient |domain |host )?(?:domain|host)\b|name service error|nxdomain|bad destination system|no (?:valid )?(?:mx|dns) (?:record|host|server|entr)|domain (?:\w{1,10} ){0,2}(?:must exist|expired)|name or service not known|dns records? .{0,60}could not be found|domaine inconnu|dominio (?:no|inexist|sconosci)/,
    source: 'Postfix 5.4.4, Exchange 5.4.310, Exim, Sendmail, Yahoo',
  },
  {
    judged: 'dead',
    reason: 'mailbox_moved',
    words:
      /has been replaced by|(?:has|have|was|user|recipient) (?:\w{1,10} )?moved|new (?:e-?mail )?address|please use (?:the )?new/,
    source: 'RFC 3463 X.1.6, Sendmail, Zimbra',
  },
  {
    judged: 'refused',
    reason: 'refused',
    words: /temporar|on vacation|try again (?:later|in)|try later/,
    source: 'words of a refusal that may pass',
  },
  {
    judged: 'dead',
    reason: 'mailbox_disabled',
    words: new RegExp(
      `${holder}(?:'s)? (?:.{0,50} )?(?:disabled|de-?activated|inactive|not (?:an )?active|in-active|discontinued|terminated|closed|deleted|removed|cancell?ed|abandoned|expired)|(?:disabled|inactive|deactivated|closed|expired|dormant) (?:\\w{1,10} )?${holder}|(?:due to|extended|of) inactivity|not currently being accepted for this mailbox`,
    ),
    source: 'Gmail 5.2.1, Yahoo, AOL, iCloud, Zoho, Yandex, Rediff',
  },
  {
    judged: 'dead',
    reason: 'mailbox_not_found',
    words: new RegExp(
      `(?:unknown|no such|non-?existent|nonexistent|non existent|undefined|unrecogni[sz]ed|mystery|wrong|incorrect) (?:.{0,25} )?(?:${holder}|person|customer|local.?part|resident|here|id|login|name|inbox)|unknown.{0,3}user|unknown local|${person}.{0,3}unknown|(?:invalid|illegal|bad|not valid|not a valid|incorrect) (?:or (?:inactive|unknown|non-?existent) |virtual |local |destination |e-?mail |mail )?(?:recipients?|mailbox|user|rcpt|address|destination|alias|account|addressee)\\b(?! syntax)|badrcptto|bad-?recipient|invalid-recipient|userunknown|recipnotfound|recipient ?not ?found|no such .{0,30}(?:here|address)|unrout[ae]{0,2}ble address|undeliverable address|not email addresses`,
    ),
    source: 'Gmail, Exchange, Postfix, Exim, Sendmail, qmail, Yahoo, GMX, Mail.ru, QQ',
  },
  {
    judged: 'dead',
    reason: 'mailbox_not_found',
    words: new RegExp(
      `(?:${holder}|rcpt|person|name|id|login)(?:'s|\\)|\\]|:)? (?:.{0,70} )?(?:is |was |were |could |has |are |been )?(?:unknown|not (?:be |been )?found|notfound|does ?n[o']t exist|do not exist|doesn.?t exist|not exist|did not exist|t exist|not (?:a )?(?:known|valid|registered|recogni[sz]ed|local|listed|present|defined|accepted here|ok)|no longer|isn't valid|wrong|invalid|unrout[ae]{0,2}ble|nonexistent|non-existent|inexistant)|(?:there is |there's )?no (?:one|user|account|mailbox|mail box|recipient|person|address|inbox) (?:\\w{1,12} ){0,3}(?:at|by|here|found|available|with|in|named|for|called)\\b|no mailbox|no mail box|(?:does ?n[o']t|does not|doesn't) have (?:an?|any) .{0,40}(?:account|mailbox)|not (?:a |an |our |one of our )(?:known |valid |local |active |existing |registered |current )?(?:user|customer|recipient|mailbox|address)|not known (?:here|at)|not a member|must exist|no .{0,30}in (?:name )?directory|not listed in`,
    ),
    source: 'Yahoo, Exchange 5.1.10 and 5.1.351, Lotus Domino, Zoho, IMail, MDaemon, qmail',
  },
  {
    judged: 'dead',
    reason: 'mailbox_not_found',
    words:
      /utilisateur inconnu|destinataire .{0,20}(?:inconnu|invalide)|adresse .{0,40}invalide|n'existe pas|usuario (?:desconocido|no existe|inexistente)|(?:direcci[oó]n|cuenta|buz[oó]n|casilla) .{0,30}(?:no existe|inexistente|desconocid[oa])|no existe (?:dicha|ese|el|la|esa)|destinatario (?:desconocido|no existe|inesistente|sconosciuto)|utente .{0,20}(?:sconosciuto|inesistente|non)|nessun utente|casella .{0,20}inesistente|usu[aá]rio (?:desconhecido|inexistente|n[aã]o)|destinat[aá]rio .{0,20}(?:n[aã]o|inexist)|caixa postal .{0,20}(?:n[aã]o existe|inexist)|(?:adres|u[żz]ytkownik|skrzynka|odbiorca|konto) .{0,40}nie istnieje|(?:hộp thư|người dùng|tài khoản|địa chỉ|email).{0,40}không tồn tại|(?:pengguna|alamat|akun|kotak surat|mailbox) .{0,40}tidak (?:ditemukan|ada\b|dikenal|terdaftar)|(?:kullan[ıi]c[ıi]|adres|hesap|posta kutusu).{0,40}(?:bulunamad[ıi]|mevcut de[ğg]il)|(?:사용자|주소|계정|메일함).{0,20}(?:존재하지 않|없습니다|찾을 수 없)|unbekannte[rn]? (?:benutzer|empf)|(?:benutzer|postfach|adresse|mailbox) .{0,30}(?:unbekannt|nicht bekannt)|empf[aä]nger .{0,20}unbekannt|existiert nicht|nieznany|не существует|пользовател\S{1,3} не|用户不存在|收件人不存在|无此用户|存在しません/,
    source: 'Orange, Free, Terra, Libero, UOL, T-Online, Mail.ru, NetEase',
  },
  {
    judged: 'dead',
    reason: 'mailbox_not_found',
    words: /recipient (?:address(?:es)? )?rejected ?: access denied/,
    enhanced: /^5\.(?:4\.1|1\.[01])$/,
    source: 'Exchange Online with directory-based blocking',
  },
  {
    judged: 'dead',
    reason: 'mailbox_not_found',
    words:
      /^(?:recipient|user) (?:address )?(?:was |has been )?(?:rejected|not accepted|not ok)[.!]?(?: \(in reply to rcpt to command\)?)?$|destination server rejected recipients|recipient not ok|recipient is not accepted|can't accept user|following recipients? w\w{2,3} undeliverable|has left the (?:company|organi[sz]ation)|no record of (?:that|this|the|any) (?:such )?(?:recipient|user|address|mailbox)|(?:mailbox|user|recipient|account|address) (?:can ?not|can't|could not) be found|account not available|user_not_found|account unavailable/,
    enhanced: /^(?:5\.[015]\.\d{1,3}|)$/,
    source: 'MailEnable, Postfix with its words cut, qmail',
  },
  {
    judged: 'dead',
    reason: 'mailbox_not_found',
    words: /(?:not|n't) in my validrcptto/,
    source: 'qmail with validrcptto, which says 5.7.1',
  },
  {
    judged: 'dead',
    reason: 'mailbox_not_found',
    words: /^address rejected/,
    enhanced: /^5\.1\.0$/,
    source: 'Cisco "#5.1.0 Address rejected."',
  },
  {
    judged: 'dead',
    reason: 'mailbox_not_found',
    words: /mailbox (?:is )?(?:currently )?unavai?l?able/,
    enhanced: /^(?!5\.7)/,
    source: 'RFC 5321 4.2.2, Outlook.com 5.5.0, GMX',
  },
];

/** What is left: this mail, or its sender, by weaker words. */
const content: readonly ReplyRule[] = [
  {
    judged: 'refused',
    reason: 'content_refused',
    words:
      /spam|virus|malware|malicious|phish|attachment|unsolicited|content|\bscore|junk|bulk|security (?:issue|threat|risk)|rfc.?(?:2822|5322)|headers? |mime\b|\bdata format|filter/,
    source: 'Gmail, Mail.ru, SpamAssassin, Proofpoint, Barracuda',
  },
];

/** The enhanced code's class, where no words are known. RFC 3463, IANA's registry. */
const classes: readonly ReplyRule[] = [
  { judged: 'refused', reason: 'refused', codes: [521], source: 'AOL: 521 5.2.1 is a policy' },
  ...(
    [
      [/^5\.1\.1$/, 'mailbox_not_found', 'RFC 3463 X.1.1'],
      [/^5\.1\.2$/, 'domain_not_found', 'RFC 3463 X.1.2'],
      [/^5\.1\.3$/, 'bad_address', 'RFC 3463 X.1.3'],
      [/^5\.1\.6$/, 'mailbox_moved', 'RFC 3463 X.1.6'],
      [/^5\.1\.10$/, 'domain_takes_no_mail', 'RFC 7505'],
      [/^5\.1\.351$/, 'mailbox_not_found', 'Exchange Online: unknown at the remote server'],
      [/^5\.2\.1$/, 'mailbox_disabled', 'RFC 3463 X.2.1'],
      [/^5\.4\.(?:4|310)$/, 'domain_not_found', 'Postfix; Exchange Online'],
    ] as const
  ).map(([enhanced, reason, source]) => ({ judged: 'dead' as const, reason, enhanced, source })),
  ...(
    [
      [/^[45]\.4\./, 'routing', 'RFC 3463 X.4'],
      [/^5\.6\./, 'content_refused', 'RFC 3463 X.6'],
      [/^5\.7\./, 'policy', 'RFC 3463 X.7'],
    ] as const
  ).map(([enhanced, reason, source]) => ({ judged: 'refused' as const, reason, enhanced, source })),
];

/** In the order of judgment. */
export const replyRules: readonly ReplyRule[] = [
  ...limits,
  ...full,
  ...exceeded,
  ...ofThisMail,
  anyLimit,
  ...sender,
  ...gone,
  ...content,
  ...classes,
];
