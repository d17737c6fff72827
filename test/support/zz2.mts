import { readSources } from './source-graph.ts';
const sources = readSources(['engine','storage','actors','http'] as never);
const g = new Map<string,string[]>();
for (const f of sources.values()) g.set(f.path, f.references.filter((r:any)=>r.kind!=='url').flatMap((r:any)=>r.files));
const cut=new Set(process.argv.slice(2)); cut.add('actors/state.ts');
function closure(p:string){const seen=new Set([p]);const st=[p];while(st.length){for(const n of g.get(st.pop()!)??[]) if(!seen.has(n)&&!cut.has(n)){seen.add(n);st.push(n);}}return seen;}
// decision files: decide.ts tables' imported same-area value files
const dec=new Set<string>();
for(const f of sources.values()){ if(!f.path.startsWith('actors/')||f.path.includes('/runtime/'))continue; if(/\bDecisions<|: Decision<|\bDecision<\w/.test(f.code))dec.add(f.path);}
const rows=[...dec].map(p=>[p,closure(p).size] as const).sort((a,b)=>b[1]-a[1]);
for(const [p,n] of rows) if(n>=60)console.log(n,p);
console.log(rows.length, rows.filter(r=>r[1]>=60).length);
// which file removal helps the most: for each file, sum of reduction
const gain=new Map<string,number>();
const over=rows.filter(r=>r[1]>=60).map(r=>r[0]);
const cand=new Set<string>();for(const p of over)for(const c of closure(p))cand.add(c);
for(const c of cand){cut.add(c);let s=0;for(const p of over)if(p!==c)s+=closure(p).size;cut.delete(c);gain.set(c,s);}
const base=over.reduce((a,p)=>a+closure(p).size,0);
console.log([...gain].map(([c,s])=>[c,base-s] as const).sort((a,b)=>b[1]-a[1]).slice(0,40).map(x=>x.join(' ')).join('\n'));
