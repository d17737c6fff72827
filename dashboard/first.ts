// What every visit loads: the frame, and the parts that most screens are made of. The build puts it
// all into one file, because on a phone each further file costs a way there and back.

import 'react-dom';
import './frame/app.tsx';
import './api/live.ts';
import './api/secret-act.ts';
import './filter/address.ts';
import './filter/everybody.ts';
import './kit/channel-health.tsx';
import './person/person-ref.ts';
import './ui/choices.tsx';
import './ui/download.tsx';
import './ui/figure.tsx';
import './ui/hold.ts';
import './ui/rows.ts';
import './ui/save-file.ts';
import './ui/screen.tsx';
import './ui/scroll-x.tsx';
import './ui/secret.tsx';
import './ui/section.tsx';
import './ui/table.tsx';
import './ui/tabs.tsx';
import './ui/time.tsx';
import './words/campaign.ts';
import './words/channels.ts';
import './words/person.ts';
