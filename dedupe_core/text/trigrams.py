"""Letter sequences that occur in written words, as a bit map; written by scripts/corpus/fit/trigrams.py.

Of 4,894,250 words in eight languages: 5,281 sequences of three letters that occur in 0.06% of one of them.
"""

from __future__ import annotations

import base64
import zlib
from functools import lru_cache

_ALPHABET = "^$abcdefghijklmnopqrstuvwxyz"
_BITS = zlib.decompress(
    base64.b85decode(
        "c-p;IO>7fK6rOd)e^n8i6`&M_;-+boN<BoVij0A<hVeS4Bovw&xKJl`QBox-0cz|7Y=fw%dNNC;AW->fp|l573DFi373Yu&d"
        "MOtm?Sa@)g8(T8p<ojKWVdf-cVmM%Rvkr}%<jy4e&6@KZx$goimKuxGA4Dtjh@7<;*7FRTZx1xj)%@>!eer7yPF7PFL4uC&E"
        "^WeZrOv7C<gh_;>_cgV4}^Lb<rqoO9ozrm;`Yn{!<^K|7)Ddx<;adgZ`$T?(4~v300+|$4>X&j|9jmOK4(chj-199jhY~vDn"
        "R4Y0spp!WI+=4tb%5bWBZ+kMHZg_s#YE#L#-e+x(X+iHMMdHwXO7M)eHW)LEzxA<S0FOx_2R$o^31$CWnrn4_2>?M3wQ+(PX"
        "rJRJ2es;S3uwCks^{+bRG;yEKCLPMDXg|4m6XQ3G~!}{}dG?`KWa>AoO-|B;@R)3+~SM6E?$be}@B(XSJbg^d;l`}bn*_uxC"
        "GD$zsq~=>73U5KpL_msKpvMWeiI_*va!DJe$0+YXjA=|Unl1Q5*{C7<`EWgKsV;`?5QShjeIfkS;PX_zZ)C{kN5~1Uzp<;^f"
        "9m$P+5V1J+1h&{a)X?*DutDwdKQ~^TpO5(B~!hlA55yrr0Yq4phx3Dg)&t&lO0a&&JMi?So^=;PCjX{tV4X-pS-PSaH+G+8e"
        "$H>GxRJRASbLkp8J13@Cr5{H(*_HHp0#GK(;t)9OO_X`o}3UnQA;>9Wkwj%&ZRpVHqgX3?;G7<{-RDIXh>^8t)K{unF}~<m@"
        "G;mF)1_u!T%HX+(l`rpw2*xx5e0uas=TR??D^Tgz#yG~vC3@*r51>4IKEIw&03f@{v~J+yG!RG4G@xoNB#hfrR_-0Te^6Mti"
        "*+b@3sOm}S*ygQQ-x?vsW(#zMLlomzOkCtz0C9EI%pX9s9B`YKjcn7_3U}|PCwc>9lNQxu4GKd%;fvwe}^IAG?*HEj6W)Iy8"
        "gETlp*KsyUrb>NtknrwxquaPr(E{(Fatj=+GDy%zY1K5_&v>x0sye<8W4&|W;g*M0oQ5uC8f%2-^8<DbX;|Iz<Bx+R;aU2~^"
        "*j$EF5^LI!8}JSTqjAGl~iF9geK4dFe$kttxrOm(`}Vr33CC77nL!!g&bl(1EN4rKNvl3R_;=d)PJ}Gdb%t_qgresvZX;p4m"
        "0?~qp;1W0am#+x@*w0p<tgVf|lkAT~o4^?SeA-8qgrOJL9zBl56n1y^Lu!&)mDIYf7OFl-mUPTI&i>16Fb>Ac&=RB5r7Apov"
        "N<4?T@!!!?wB)0yJ2yS<rJB6J+VOlE=zR>E8K3=QckBc9V++g|UQ+L|0YlO5`8<tuhxh+upIh0Z!fPZg3@N7`d+Z}#4vo>Z5"
        "oe#pAgvE)tG(`xF@vsll)lVi&HAva0bLYFt!ibw=U8W~HD87R%=7Z~+GPyZHaCZ-D3V+oO>gbi=Sx_S1`4M5Qrz2mmjz6k;&"
        ";fqdDlPRmg;o$!3TSkZHr30)BkhhXLcQ-lyJFI|rt5mmL=b@Qu=^PZs6AAZ$me#|T&$?x^#)Egq%=E*jms*M{+@gZvtwXsLK"
        "2Nn&at+`JOBNp?2^5-%ZlJs)UjQcMNsfwEs`YtThRyVz24nFBWvnwjetys7(`2fcS?Vq^Ek6+2J!}2tz9b{j#3At3s9M;76O"
        "h3M89a)1Kag6tsA-8#kf8+~GMsOG-*7vT%}Q}V!~$HOtOhyfdPq!53^TrWWkixI+8W>J^dCPMoeDqL|J~ru3w<K~3T~j`PV="
        "I;^ln!m=CVH8H}FR+dD;};)xPmk1=Z3=An#veJ;9^b!4pIhN4>ZqQ1V?vOWAxGE1^ude0A}v4ZV0j_|G4}^ABkUv;S+|FZfb"
        "v{Gz%RXkq|B;vv;pGJh1h%Dx1kXY~e!K63BQzgF537x)^wMfkF+ET${B%3fMI#H!~qmal}#gz2R}3k%P!;+O@}^P>9aH`g3?"
        "LUUo#$Zf=OJOCNQIGnNTEf~Ny&QeRi1h9nH6HlcXEFHv0ApxC@`1ii)!$%3yd>$V*+9H6f$^7>cd^#kM2;UkwF_KsN?F<)|;"
        "ZAPAO`Voyph5w)iX9UJZaAQ2fWVGUoFMu+z#6lDVBLZK1zA0a6#"
    )
)


@lru_cache(maxsize=1)
def common_sequences() -> frozenset[str]:
    """Of three letters, where ^ and $ are the ends of a word."""
    size = len(_ALPHABET)
    return frozenset(
        _ALPHABET[place // size // size] + _ALPHABET[place // size % size] + _ALPHABET[place % size]
        for place in range(size**3)
        if _BITS[place >> 3] >> (place & 7) & 1
    )
